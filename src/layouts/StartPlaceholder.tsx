/** Shown until the current user has arrived: an empty frame on the page's ground, nothing that moves. */
export default function StartPlaceholder() {
  return <div className="start-placeholder" aria-busy="true" />;
}
