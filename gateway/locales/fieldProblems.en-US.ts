import type { FieldProblems } from './fieldProblems';

const enUS: FieldProblems = {
  invalid: 'is not valid',
  required: 'is missing',
  unknown: 'is not a known field',
  absent: 'must be absent',
  type: 'must be of type {type}',
  choice: 'must be one of {choices}',
  form: 'does not have the right form',
  minLength: 'must have at least {limit} characters',
  maxLength: 'must have at most {limit} characters',
  length: 'must have {min} to {max} characters',
  minimum: 'must be at least {limit}',
  maximum: 'must be at most {limit}',
  unprintable: 'must not have unprintable characters',
  depth: 'must not be nested deeper than {limit} levels',
  repeated: 'must not be there twice',
  json: 'is not valid JSON',
  http: 'is not valid HTTP',
  address: 'is not a valid address',
  idempotencyKey: 'must be 8 to 128 printable characters',
  mobile: 'must be a mobile phone number',
  ownMobile: 'must be your own number',
  afterFrom: 'must be after from',
  nothingToChange: 'must name something to change',
  reserved: 'is set by the lab itself',
};

export default enUS;
