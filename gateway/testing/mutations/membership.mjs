const membership = 'gateway/domains/membership';
const packages = 'gateway/db/migrations/0008_packages.ts';

/** Packages: layout, grants, credit, refunds, and the rights starts are measured by. */
export const membershipMutations = [
  {
    name: 'two packages of one member may run',
    file: packages,
    from: 'create unique index purchased_package_item_active on',
    to: 'create index purchased_package_item_active on',
    test: `${membership}/membership.races.test.ts`,
    title: 'without the wallet’s lock the database itself refuses a second package that runs, and a credit counted twice',
  },
  {
    name: 'a package can be made longer',
    file: packages,
    from: ",\n      check (ends_at - starts_at = total_ms * interval '1 millisecond')",
    to: '',
    test: `${membership}/membership.service.test.ts`,
    title: 'the database keeps a member from running two packages and a package from growing, whatever the code does',
  },
  {
    name: 'two periods may overlap',
    file: 'gateway/db/migrations/0001_identity.ts',
    from: ',\n      exclude using gist (member_id with =, tstzrange(starts_at, ends_at) with &&)',
    to: '',
    test: `${membership}/membership.service.test.ts`,
    title: 'the database keeps a member from running two packages and a package from growing, whatever the code does',
  },
  {
    name: 'no wallet lock before a package changes',
    file: `${membership}/membershipChanges.service.ts`,
    from: '  await deps.ledger.lockWallet(tx, memberId);\n',
    to: '',
    test: `${membership}/membership.races.test.ts`,
    title: 'at the same time a gift with one key is given by many and lies there once',
  },
  {
    name: 'a credit can be counted by two orders',
    file: `${membership}/membership.repository.ts`,
    from: "    .where('source', '=', 'ORDER')\n    .where('creditOrderId', 'is', null)\n",
    to: "    .where('source', '=', 'ORDER')\n",
    test: `${membership}/membership.races.test.ts`,
    title: 'without the wallet’s lock the database itself refuses a second package that runs, and a credit counted twice',
  },
  {
    name: 'what was carried over is granted again',
    file: `${membership}/timeline.rules.ts`,
    from: 'credited ? carriedOver(credited, promisedMicro) : 0n',
    to: '0n',
    test: `${membership}/timeline.rules.test.ts`,
    title:
      'whatever is bought, renewed, upgraded, given, refunded and waited for credit and refunds together are never above a package’s value, and DCU kept never above what the cash kept bought',
  },
  {
    name: 'used DCU are refunded',
    file: `${membership}/packageValue.rules.ts`,
    from: 'worthOfTime(part, part.leftMs) - worthOf(part, used)',
    to: 'worthOfTime(part, part.leftMs)',
    test: `${membership}/timeline.rules.test.ts`,
    title:
      'whatever is bought, renewed, upgraded, given, refunded and waited for credit and refunds together are never above a package’s value, and DCU kept never above what the cash kept bought',
  },
  {
    name: 'a credit paid late is worth what it was',
    file: `${membership}/timeline.rules.ts`,
    from: 'lesser(worthFen, bought.creditFen)',
    to: 'bought.creditFen',
    test: `${membership}/timeline.rules.test.ts`,
    title:
      'whatever is bought, renewed, upgraded, given, refunded and waited for credit and refunds together are never above a package’s value, and DCU kept never above what the cash kept bought',
  },
  {
    name: 'a pause eats time',
    file: `${membership}/layout.rules.ts`,
    from: 'const endsAtMs = fromMs + leftMs;',
    to: 'const endsAtMs = Math.max(item.endsAtMs, fromMs + 1);',
    test: `${membership}/timeline.rules.test.ts`,
    title:
      'whatever is bought, renewed, upgraded, given, refunded and waited for time that was bought or given is conserved to the millisecond',
  },
  {
    name: 'a refund leaves the order that counts on the credit',
    file: `${membership}/membership.service.ts`,
    from: "if (item.creditOrderId !== null) return 'CREDIT_RESERVED';",
    to: '',
    test: `${membership}/membership.service.test.ts`,
    title: 'a refund deducts DCU that were used before their time, and is not possible while an order counts on the package',
  },
  {
    name: 'storage has no end',
    file: 'gateway/domains/workshop/workshop.rules.ts',
    from: 'if (usedBytes < limitBytes) return;',
    to: 'return;',
    test: 'gateway/domains/workshop/packageLimits.test.ts',
    title:
      'what a package keeps refuses to create and to start while the homes hold as much, in readable units, until files or workshops go or the level rises',
  },
];
