import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  children: ReactNode;
  /** What stands in place of the children once one of them failed. */
  failure: (error: unknown, reset: () => void) => ReactNode;
}

/** Keeps a failure from taking along what stands around it. */
export class Boundary extends Component<BoundaryProps, { caught: { error: unknown } | null }> {
  override state: { caught: { error: unknown } | null } = { caught: null };

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }

  override render() {
    const { caught } = this.state;
    return caught ? this.props.failure(caught.error, () => this.setState({ caught: null })) : this.props.children;
  }
}
