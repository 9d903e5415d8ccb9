import { type Kysely, sql } from 'kysely';

/** The books of the payment sandbox: an outside party's. Nothing of ours refers to them, and they refer to nothing of ours. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sandbox_account (
      id smallint primary key default 1 check (id = 1),
      -- What it signs its notices with (Ed25519, PEM), and what they are checked with.
      private_key text not null,
      public_key text not null,
      -- Where the gateway listens: what a merchant registers with a real provider.
      notify_origin text
    );

    create table sandbox_trade (
      -- In the address of its cashier page: who knows it may pay.
      id text primary key check (id ~ '^[A-Za-z0-9_-]{43}$'),
      payment_id uuid not null unique,
      order_no text not null,
      method text not null,
      subject jsonb not null,
      amount_fen bigint not null check (amount_fen > 0),
      currency text not null,
      state text not null default 'WAITING' check (state in ('WAITING','PAID','FAILED','CLOSED')),
      -- What becomes of refunds of its money.
      refunds text not null default 'accept' check (refunds in ('accept','refuse','later')),
      form_token text not null,
      notify_path text not null,
      return_url text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      -- When its money comes although the time to pay is over.
      late_at timestamptz
    );
    create index sandbox_trade_late on sandbox_trade (late_at) where late_at is not null;

    create table sandbox_money (
      txn text primary key,
      trade_id text not null references sandbox_trade(id),
      amount_fen bigint not null check (amount_fen > 0),
      refunded_fen bigint not null default 0 check (refunded_fen between 0 and amount_fen),
      paid_at timestamptz not null
    );
    create index sandbox_money_trade on sandbox_money (trade_id, paid_at, txn);

    create table sandbox_notice (
      id uuid primary key,
      trade_id text not null references sandbox_trade(id),
      body text not null,
      tries int not null default 0,
      next_try_at timestamptz,
      acknowledged_at timestamptz,
      created_at timestamptz not null,
      check (acknowledged_at is null or next_try_at is null)
    );
    create index sandbox_notice_due on sandbox_notice (next_try_at) where next_try_at is not null;

    create table sandbox_refund (
      id uuid primary key,
      txn text not null references sandbox_money(txn),
      amount_fen bigint not null check (amount_fen > 0),
      state text not null check (state in ('PENDING','SUCCEEDED','FAILED')),
      -- Until when a slow one is under way.
      done_at timestamptz,
      created_at timestamptz not null
    );
  `.execute(db);
}
