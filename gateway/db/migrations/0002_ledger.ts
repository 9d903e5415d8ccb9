import { type Kysely, sql } from 'kysely';

/** The DCU ledger: append-only double entry, wallets as its projection, lots as what a balance is made of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_account (
      id bigint generated always as identity primary key,
      owner_kind text not null check (owner_kind in ('member','platform')),
      owner_id text not null,
      asset text not null check (asset in ('DCU','POINT')),
      purpose text not null check (purpose in ('wallet','gift','purchase','usage','breakage','refund','adjust')),
      check ((owner_kind = 'member') = (purpose = 'wallet')),
      unique (owner_kind, owner_id, asset, purpose),
      unique (id, asset)
    );
    insert into ledger_account (owner_kind, owner_id, asset, purpose)
      select 'platform', 'atelier', 'DCU', purpose from unnest(array['gift','purchase','usage','breakage','refund','adjust']) purpose;

    create table ledger_tx (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('gift','grant','purchase','usage','expiry','refund','adjust')),
      -- Never pruned: at-most-once rests on it ('gift:signup:<hmac>', 'usage:<session>:<seq>', 'expire:<lot>:<n>').
      idem_key text not null unique,
      ref_type text not null,
      ref_id text not null,
      note text not null default '',
      actor text not null default 'system',
      -- How many entries it has. Declared up front, so that none can be added to it later.
      lines smallint not null default 2 check (lines >= 2),
      created_at timestamptz not null default app_now()
    );

    create table ledger_entry (
      tx_id bigint not null references ledger_tx(id),
      line smallint not null check (line > 0),
      account_id bigint not null,
      asset text not null,
      amount bigint not null check (amount <> 0),
      -- Both set for member wallets only.
      account_seq bigint,
      balance_after bigint check (balance_after >= 0),
      -- As its transaction has them: a member's changes are paged and filtered by index.
      kind text not null,
      at timestamptz not null,
      primary key (tx_id, line),
      unique (account_id, account_seq),
      -- An entry is in its account's asset.
      foreign key (account_id, asset) references ledger_account (id, asset),
      check ((account_seq is null) = (balance_after is null))
    );
    create index ledger_entry_kind on ledger_entry (account_id, kind, account_seq) where account_seq is not null;
    create index ledger_entry_at on ledger_entry (account_id, at) where account_seq is not null;

    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
    create trigger ledger_tx_append_only before update or delete or truncate on ledger_tx for each statement execute function refuse_change();
    create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry for each statement execute function refuse_change();

    -- A projection of the entries, moved in the same transaction; posted >= held makes an overdraft unwritable.
    create table wallet (
      member_id uuid not null references member(id),
      asset text not null check (asset in ('DCU','POINT')),
      account_id bigint not null unique references ledger_account(id),
      posted bigint not null default 0 check (posted >= 0),
      held bigint not null default 0 check (held >= 0),
      seq bigint not null default 0,
      check (posted >= held),
      primary key (member_id, asset)
    ) with (fillfactor = 70);

    create table dcu_lot (
      id bigint generated always as identity primary key,
      member_id uuid not null references member(id),
      origin_tx_id bigint not null unique references ledger_tx(id),
      source text not null check (source in ('gift','membership','coupon','purchase','refund')),
      order_id uuid,
      granted bigint not null check (granted > 0),
      remaining bigint not null check (remaining between 0 and granted),
      granted_at timestamptz not null,
      expires_at timestamptz check (expires_at > granted_at)
    );
    -- Burn order: soonest expiring, then oldest.
    create index dcu_lot_burn on dcu_lot (member_id, expires_at nulls last, granted_at, id) where remaining > 0;
    create index dcu_lot_expiry on dcu_lot (expires_at) where remaining > 0 and expires_at is not null;

    create table lot_use (
      tx_id bigint not null references ledger_tx(id),
      lot_id bigint not null references dcu_lot(id),
      amount bigint not null check (amount > 0),
      primary key (tx_id, lot_id)
    );
    create index lot_use_lot on lot_use (lot_id);
    create trigger lot_use_append_only before update or delete or truncate on lot_use for each statement execute function refuse_change();
  `.execute(db);
  await guardBooks(db);
}

/**
 * Checked at the end of every statement over its transition table, not row by row at COMMIT: as strict (a transaction stands
 * complete and balanced, with wallet and lots beside it, after the very statement that writes it) and flat in cost for a batch.
 * Plans of trigger functions are made while tables are small and transition tables look empty, hence the planner settings.
 */
async function guardBooks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ledger_refuse(what text, which bigint) returns void language plpgsql as $$
    begin
      raise exception 'ledger: % (%)', what, which using errcode = 'check_violation';
    end $$;

    create function ledger_tx_written() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      perform ledger_refuse('a transaction without entries', f.id) from fresh f
        where not exists (select from ledger_entry e where e.tx_id = f.id);
      return null;
    end $$;
    create trigger ledger_tx_written after insert on ledger_tx
      referencing new table as fresh for each statement execute function ledger_tx_written();

    create function ledger_entry_written() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      perform ledger_refuse('a transaction does not balance or has not the entries it declares', t.id)
        from ledger_tx t
        join (select e.tx_id, e.asset, sum(e.amount) as total, sum(count(*)) over (partition by e.tx_id) as lines
              from ledger_entry e where e.tx_id in (select tx_id from fresh) group by e.tx_id, e.asset) b on b.tx_id = t.id
        where b.total <> 0 or b.lines <> t.lines;
      perform ledger_refuse('an entry does not continue its wallet or is not of its transaction', f.tx_id)
        from fresh f
        join ledger_tx t on t.id = f.tx_id
        join ledger_account a on a.id = f.account_id
        left join ledger_entry p on p.account_id = f.account_id and p.account_seq = f.account_seq - 1
        where (a.purpose = 'wallet') <> (f.account_seq is not null)
           or f.kind <> t.kind or f.at <> t.created_at
           or (f.account_seq > 1 and p.tx_id is null)
           or f.balance_after <> coalesce(p.balance_after, 0) + f.amount;
      perform ledger_refuse('a wallet does not stand at its last entry', f.account_id)
        from (select distinct on (account_id) account_id, account_seq, balance_after
              from fresh where account_seq is not null order by account_id, account_seq desc) f
        left join wallet w on w.account_id = f.account_id
        where w.seq is distinct from f.account_seq or w.posted is distinct from f.balance_after;
      perform ledger_refuse('the lots do not carry what the wallet took', f.tx_id)
        from fresh f
        where f.asset = 'DCU' and f.account_seq is not null and f.amount <> case
          when f.amount > 0 then coalesce((select l.granted from dcu_lot l where l.origin_tx_id = f.tx_id), 0)
          else -coalesce((select sum(u.amount) from lot_use u where u.tx_id = f.tx_id), 0) end;
      return null;
    end $$;
    create trigger ledger_entry_written after insert on ledger_entry
      referencing new table as fresh for each statement execute function ledger_entry_written();

    create function wallet_written() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      perform ledger_refuse('a wallet does not stand at its last entry', w.account_id)
        from fresh w
        left join ledger_entry e on e.account_id = w.account_id and e.account_seq = w.seq
        where coalesce(e.balance_after, 0) <> w.posted or (w.seq > 0 and e.tx_id is null);
      return null;
    end $$;
    create trigger wallet_opened after insert on wallet
      referencing new table as fresh for each statement execute function wallet_written();
    create trigger wallet_moved after update on wallet
      referencing new table as fresh for each statement execute function wallet_written();
    create trigger wallet_kept before delete or truncate on wallet for each statement execute function refuse_change();

    create function lot_use_written() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      perform ledger_refuse('lot use without the wallet entry it explains', f.tx_id)
        from (select distinct tx_id from fresh) f
        where -(select coalesce(sum(u.amount), 0) from lot_use u where u.tx_id = f.tx_id) is distinct from
          (select e.amount from ledger_entry e where e.tx_id = f.tx_id and e.account_seq is not null);
      return null;
    end $$;
    create trigger lot_use_written after insert on lot_use
      referencing new table as fresh for each statement execute function lot_use_written();

    create function dcu_lot_written() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      perform ledger_refuse('a lot that its transaction did not grant', f.id)
        from fresh f
        where f.remaining <> f.granted or not exists (select from ledger_entry e join wallet w on w.account_id = e.account_id
          where e.tx_id = f.origin_tx_id and e.amount = f.granted and w.member_id = f.member_id);
      return null;
    end $$;
    create trigger dcu_lot_written after insert on dcu_lot
      referencing new table as fresh for each statement execute function dcu_lot_written();

    create function dcu_lot_moved() returns trigger language plpgsql set enable_nestloop = off as $$
    begin
      perform ledger_refuse('a lot only ever shrinks, and nothing else of it changes', n.id)
        from fresh n join before o on o.id = n.id
        where n.remaining > o.remaining
           or (n.member_id, n.origin_tx_id, n.source, n.granted, n.granted_at) is distinct from (o.member_id, o.origin_tx_id, o.source, o.granted, o.granted_at)
           or n.expires_at is distinct from o.expires_at or n.order_id is distinct from o.order_id;
      return null;
    end $$;
    create trigger dcu_lot_moved after update on dcu_lot
      referencing old table as before new table as fresh for each statement execute function dcu_lot_moved();

    create function dcu_lot_explained() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      perform ledger_refuse('a lot that shrinks without its use', n.id)
        from fresh n where n.remaining <> n.granted - (select coalesce(sum(u.amount), 0) from lot_use u where u.lot_id = n.id);
      return null;
    end $$;
    create trigger dcu_lot_explained after update on dcu_lot
      referencing new table as fresh for each statement execute function dcu_lot_explained();
  `.execute(db);
}
