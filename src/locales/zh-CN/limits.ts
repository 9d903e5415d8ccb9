import type source from '../en-US/limits';

const words: Record<keyof typeof source, string> = {
  'limit.cpu.title': '超出等级允许的 CPU 核数',
  'limit.cpu.way': '请选择更小的规格、停止一个运行中的工坊，或选购核数更多的套餐。',
  'limit.labs.title': '已达到可同时运行的工坊数',
  'limit.labs.way': '请先停止其中一个，或选购可同时运行更多工坊的套餐。',
  'limit.storage.title': '文件占用超出等级的存储空间',
  'limit.storage.way': '仍可每次启动一个工坊并在其中删除文件；删除不再需要的工坊会一并删除其文件；更高的等级有更大的存储空间。',
  'limit.balance.title': 'DCU 不足，无法启动',
  'limit.balance.way': '账户页会显示运行中的工坊预留了多少，以及每一部分余额何时到期。',
  'limit.rate.title': '超出等级允许的每小时 DCU',
  'limit.rate.way': '请停止一个运行中的工坊、选择更小的规格，或选购允许更多的套餐。',
  'limit.realName.title': '需要完成实名认证',
  'limit.toPackages': '查看套餐',
  'limit.toWorkshops': '查看我的工坊',
  'limit.toRunning': '查看运行中的工坊',
  'limit.toAccount': '查看我的账户',
  'limit.toTopUp': '充值',
  'limit.toRealName': '去实名认证',
  'limit.close': '关闭',
};

export default words;
