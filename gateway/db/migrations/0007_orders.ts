import { type Kysely, sql } from 'kysely';

/** Orders, stock, payments and refunds; every rule of theirs once more as a constraint. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createOrders(db);
  await createPayments(db);
}

async function createOrders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table "order" (
      id uuid primary key,
      order_no text not null unique check (order_no ~ '^[0-9]{20}$'),
      member_id uuid not null references member(id),
      -- The member's first, second, third …: a place in the list, so that neither a count nor a late page reads what lies before.
      seq int not null check (seq > 0),
      kind text not null check (kind in ('SKU','PACKAGE')),
      product_id text not null,
      quantity smallint not null check (quantity between 1 and 99),
      -- Words in every language, and what was sold as the catalogue and the member's rights said then.
      title jsonb not null,
      offer jsonb not null,
      price_version int not null check (price_version > 0),
      is_limited boolean not null,
      state text not null default 'PENDING' check (state in ('PENDING','FULFILLED','CANCELLED','EXPIRED','REFUNDING','REFUNDED','PART_REFUNDED')),
      list_fen bigint not null check (list_fen >= 0),
      student_discount_fen bigint not null check (student_discount_fen >= 0),
      upgrade_credit_fen bigint not null check (upgrade_credit_fen >= 0),
      coupon_discount_fen bigint not null check (coupon_discount_fen >= 0),
      points_discount_fen bigint not null check (points_discount_fen >= 0),
      payable_fen bigint not null check (payable_fen >= 0),
      points_used bigint not null check (points_used >= 0),
      coupon_id uuid,
      refunded_fen bigint not null default 0 check (refunded_fen between 0 and payable_fen),
      points_earned bigint not null default 0 check (points_earned >= 0),
      placed_at timestamptz not null,
      pay_until timestamptz not null check (pay_until > placed_at),
      fulfilled_at timestamptz,
      closed_at timestamptz,
      cancel_reason text not null default '' check (char_length(cancel_reason) <= 200),
      check (payable_fen = list_fen - student_discount_fen - upgrade_credit_fen - coupon_discount_fen - points_discount_fen),
      -- At most half of what is left before them is paid with points.
      check (points_discount_fen * 2 <= payable_fen + points_discount_fen),
      check ((points_used = 0) = (points_discount_fen = 0)),
      check ((coupon_discount_fen = 0) or (coupon_id is not null)),
      check ((state in ('FULFILLED','REFUNDING','REFUNDED','PART_REFUNDED')) = (fulfilled_at is not null)),
      check ((state in ('CANCELLED','EXPIRED')) = (closed_at is not null)),
      check (refunded_fen = 0 or state in ('REFUNDING','REFUNDED','PART_REFUNDED')),
      unique (id, member_id),
      unique (member_id, seq)
    );
    create index order_member on "order" (member_id, placed_at, seq);
    create index order_member_state on "order" (member_id, state, seq);
    create index order_due on "order" (pay_until) where state = 'PENDING';
    -- One order a member and limited SKU for ever, whatever races.
    create unique index order_limited on "order" (member_id, product_id) where is_limited and state not in ('CANCELLED','EXPIRED');

    create table order_transition (from_state text not null, to_state text not null, primary key (from_state, to_state));
    insert into order_transition (from_state, to_state)
      select split_part(line, ' ', 1), unnest(string_to_array(split_part(line, ' ', 2), ','))
      from unnest(array[
        'PENDING FULFILLED,CANCELLED,EXPIRED',
        'FULFILLED REFUNDING',
        'REFUNDING REFUNDED,PART_REFUNDED,FULFILLED',
        'PART_REFUNDED REFUNDING'
      ]) line;
    create function order_must_follow_table() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if new.state <> 'PENDING' then
          raise exception 'an order begins PENDING, not %', new.state using errcode = 'check_violation';
        end if;
        -- Under the member's wallet lock; without it the unique index refuses the second.
        new.seq := coalesce((select max(seq) from "order" where member_id = new.member_id), 0) + 1;
        return new;
      end if;
      if new.state <> old.state
        and not exists (select from order_transition where from_state = old.state and to_state = new.state) then
        raise exception 'an order cannot go from % to %', old.state, new.state using errcode = 'check_violation';
      end if;
      if (new.member_id, new.seq, new.kind, new.product_id, new.quantity, new.offer, new.list_fen, new.student_discount_fen, new.upgrade_credit_fen,
          new.coupon_discount_fen, new.points_discount_fen, new.payable_fen, new.points_used, new.placed_at, new.pay_until)
        is distinct from (old.member_id, old.seq, old.kind, old.product_id, old.quantity, old.offer, old.list_fen, old.student_discount_fen, old.upgrade_credit_fen,
          old.coupon_discount_fen, old.points_discount_fen, old.payable_fen, old.points_used, old.placed_at, old.pay_until)
        or new.coupon_id is distinct from old.coupon_id then
        raise exception 'what was ordered and what it costs never changes' using errcode = 'check_violation';
      end if;
      if new.refunded_fen < old.refunded_fen then
        raise exception 'a refund is never taken back' using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger order_follows_table before insert or update on "order" for each row execute function order_must_follow_table();
    create trigger order_kept before delete or truncate on "order" for each statement execute function refuse_change();

    create table order_line (
      order_id uuid not null references "order"(id),
      line smallint not null check (line > 0),
      title jsonb not null,
      quantity int not null check (quantity > 0),
      list_fen bigint not null check (list_fen >= 0),
      student_discount_fen bigint not null check (student_discount_fen >= 0),
      upgrade_credit_fen bigint not null check (upgrade_credit_fen >= 0),
      coupon_discount_fen bigint not null check (coupon_discount_fen >= 0),
      points_discount_fen bigint not null check (points_discount_fen >= 0),
      payable_fen bigint not null check (payable_fen >= 0),
      check (payable_fen = list_fen - student_discount_fen - upgrade_credit_fen - coupon_discount_fen - points_discount_fen),
      primary key (order_id, line)
    );
    -- All lines of an order are written by one statement, and sum to it part by part.
    create function order_line_written() returns trigger language plpgsql as $$
    begin
      if exists (
        select from (select order_id, sum(list_fen) as l, sum(student_discount_fen) as s, sum(upgrade_credit_fen) as u,
            sum(coupon_discount_fen) as c, sum(points_discount_fen) as p from order_line
          where order_id in (select order_id from fresh) group by order_id) t
        join "order" o on o.id = t.order_id
        where (t.l, t.s, t.u, t.c, t.p)
          is distinct from (o.list_fen, o.student_discount_fen, o.upgrade_credit_fen, o.coupon_discount_fen, o.points_discount_fen)) then
        raise exception 'the lines of an order do not sum to it' using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create trigger order_line_written after insert on order_line
      referencing new table as fresh for each statement execute function order_line_written();
    create trigger order_line_append_only before update or delete or truncate on order_line for each statement execute function refuse_change();

    create table order_event (
      id uuid primary key,
      order_id uuid not null references "order"(id),
      at timestamptz not null default app_now(),
      from_state text,
      to_state text not null,
      reason text not null check (reason ~ '^[A-Z_]{1,40}$'),
      actor text not null check (actor in ('member','system','provider','operator')),
      evidence jsonb not null default '{}'
    );
    create index order_event_order on order_event (order_id, at, id);
    create trigger order_event_append_only before update or delete or truncate on order_event for each statement execute function refuse_change();

    -- A limited offer: never sold beyond what there is.
    create table sku_stock (
      sku_id text primary key,
      initial int not null check (initial >= 0),
      reserved int not null default 0 check (reserved >= 0),
      sold int not null default 0 check (sold >= 0),
      check (reserved + sold <= initial)
    );

    -- The lots an order brought, for its refund.
    alter table dcu_lot add constraint dcu_lot_order foreign key (order_id, member_id) references "order"(id, member_id);
    create index dcu_lot_order on dcu_lot (order_id) where order_id is not null;
  `.execute(db);
}

async function createPayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment (
      id uuid primary key,
      order_id uuid not null,
      member_id uuid not null,
      provider text not null,
      method text not null,
      state text not null default 'CREATED' check (state in ('CREATED','SUBMITTED','SUCCEEDED','FAILED','CLOSED','UNKNOWN','ORPHAN')),
      amount_fen bigint not null check (amount_fen > 0),
      currency text not null default 'CNY' check (currency = 'CNY'),
      -- The provider's number of the money that came; never twice, whatever comes again.
      provider_txn text,
      paid_at timestamptz,
      qr_text text not null default '',
      redirect_url text not null default '',
      created_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at),
      -- When the provider is asked next, while it is not known how the attempt ended.
      next_query_at timestamptz,
      queries int not null default 0,
      applied_at timestamptz,
      refunded_fen bigint not null default 0 check (refunded_fen between 0 and amount_fen),
      foreign key (order_id, member_id) references "order"(id, member_id),
      check ((state in ('SUCCEEDED','ORPHAN')) = (provider_txn is not null)),
      check ((state = 'SUCCEEDED') = (applied_at is not null)),
      check (refunded_fen = 0 or provider_txn is not null),
      check (next_query_at is null or state in ('CREATED','SUBMITTED','UNKNOWN')),
      unique (provider, provider_txn)
    );
    create index payment_order on payment (order_id, created_at);
    create unique index payment_applied on payment (order_id) where applied_at is not null;
    create unique index payment_open on payment (order_id, method) where state in ('CREATED','SUBMITTED','UNKNOWN');
    create index payment_asked on payment (next_query_at) where next_query_at is not null;

    create table payment_transition (from_state text not null, to_state text not null, primary key (from_state, to_state));
    insert into payment_transition (from_state, to_state)
      select split_part(line, ' ', 1), unnest(string_to_array(split_part(line, ' ', 2), ','))
      from unnest(array[
        'CREATED SUBMITTED,SUCCEEDED,FAILED,CLOSED,UNKNOWN,ORPHAN',
        'SUBMITTED SUCCEEDED,FAILED,CLOSED,UNKNOWN,ORPHAN',
        'UNKNOWN SUBMITTED,SUCCEEDED,FAILED,CLOSED,ORPHAN',
        'FAILED SUCCEEDED,ORPHAN',
        'CLOSED SUCCEEDED,ORPHAN'
      ]) line;
    create function payment_must_follow_table() returns trigger language plpgsql as $$
    declare payable bigint;
    begin
      if tg_op = 'INSERT' then
        -- ORPHAN: money nobody asked for, a second time for the same attempt.
        if new.state not in ('CREATED','ORPHAN') then
          raise exception 'a payment begins CREATED, not %', new.state using errcode = 'check_violation';
        end if;
      elsif new.state <> old.state
        and not exists (select from payment_transition where from_state = old.state and to_state = new.state) then
        raise exception 'a payment cannot go from % to %', old.state, new.state using errcode = 'check_violation';
      elsif (new.order_id, new.member_id, new.amount_fen, new.provider) is distinct from (old.order_id, old.member_id, old.amount_fen, old.provider)
        or new.refunded_fen < old.refunded_fen then
        raise exception 'what a payment is for never changes' using errcode = 'check_violation';
      end if;
      select payable_fen into payable from "order" where id = new.order_id;
      if new.amount_fen <> payable then
        raise exception 'a payment is over what its order costs' using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger payment_follows_table before insert or update on payment for each row execute function payment_must_follow_table();
    create trigger payment_kept before delete or truncate on payment for each statement execute function refuse_change();

    create table refund (
      id uuid primary key,
      order_id uuid not null,
      member_id uuid not null,
      -- Null where nothing was paid in cash.
      payment_id uuid references payment(id),
      reason text not null check (reason in ('MEMBER','OPERATOR','SURPLUS')),
      state text not null default 'REQUESTED' check (state in ('REQUESTED','SUBMITTED','SUCCEEDED','FAILED')),
      amount_fen bigint not null check (amount_fen >= 0),
      withdrawn_micro bigint not null default 0 check (withdrawn_micro >= 0),
      withdrawn_points bigint not null default 0 check (withdrawn_points >= 0),
      spent_points_fen bigint not null default 0 check (spent_points_fen >= 0),
      returned_points bigint not null default 0 check (returned_points >= 0),
      returns_coupon boolean not null default false,
      ends_package boolean not null default false,
      -- True when afterwards nothing of the order is left.
      is_whole boolean not null,
      note text not null default '' check (char_length(note) <= 200),
      actor text not null check (char_length(actor) between 1 and 64),
      idem_key text not null unique,
      created_at timestamptz not null,
      ended_at timestamptz,
      tries int not null default 0,
      next_try_at timestamptz,
      failure text not null default '',
      foreign key (order_id, member_id) references "order"(id, member_id),
      check ((amount_fen = 0) or (payment_id is not null)),
      check ((state in ('SUCCEEDED','FAILED')) = (ended_at is not null)),
      check ((next_try_at is not null) = (state in ('REQUESTED','SUBMITTED')))
    );
    create index refund_order on refund (order_id, created_at);
    create index refund_due on refund (next_try_at) where next_try_at is not null;
    create unique index refund_open on refund (order_id) where state in ('REQUESTED','SUBMITTED') and reason <> 'SURPLUS';
    create trigger refund_kept before delete or truncate on refund for each statement execute function refuse_change();
  `.execute(db);
}
