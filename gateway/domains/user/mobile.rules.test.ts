import { maskMobile, parseMobile, requireMobile } from './mobile.rules';

describe('a typed phone number', () => {
  it.each([
    ['13800138000', '+8613800138000'],
    ['138 0013 8000', '+8613800138000'],
    ['+86 138-0013-8000', '+8613800138000'],
    ['8613800138000', '+8613800138000'],
    ['+44 7400 123456', '+447400123456'],
    ['12345678901', null],
    ['010-12345678', null],
    ['1380013800', null],
    ['+99912345678', null],
    ['student', null],
  ])('%s is stored as %s', (typed, mobile) => {
    expect(parseMobile(typed)).toBe(mobile);
  });

  it('that cannot receive a text is refused by the name of its field', () => {
    expect(() => requireMobile('12345678901', 'body.mobile')).toThrow(
      expect.objectContaining({
        error: 'INVALID_INPUT',
        options: expect.objectContaining({ data: { fields: [expect.objectContaining({ field: 'body.mobile' })] } }),
      }),
    );
  });

  it.each([
    ['+8613800131234', '138****1234'],
    ['+447400123456', '+44 740****3456'],
    ['+85251234567', '+852 5****67'],
  ])('%s is shown as %s', (mobile, shown) => {
    expect(maskMobile(mobile)).toBe(shown);
  });
});
