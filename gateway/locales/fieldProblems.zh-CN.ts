import type { FieldProblems } from './fieldProblems';

const zhCN: FieldProblems = {
  invalid: '无效',
  required: '不能缺少',
  unknown: '不是已知字段',
  absent: '不应提供',
  type: '类型应为 {type}',
  choice: '应为以下之一：{choices}',
  form: '格式不正确',
  minLength: '至少需要 {limit} 个字符',
  maxLength: '最多 {limit} 个字符',
  length: '长度应为 {min} 至 {max} 个字符',
  minimum: '不能小于 {limit}',
  maximum: '不能大于 {limit}',
  unprintable: '不能包含不可显示的字符',
  depth: '嵌套不能超过 {limit} 层',
  repeated: '不能重复',
  json: '不是有效的 JSON',
  http: '不是有效的 HTTP',
  address: '不是有效的地址',
  idempotencyKey: '应为 8 至 128 个可显示字符',
  mobile: '应为手机号',
  ownMobile: '应为您本人的手机号',
  afterFrom: '应晚于 from',
  nothingToChange: '应至少包含一项修改',
  reserved: '由工坊自身设置，不能更改',
};

export default zhCN;
