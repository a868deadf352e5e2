import type { Type } from '@nestjs/common';

/**
 * Describes an operation from outside its controller, so that the application that serves it need not load the
 * description libraries.
 * @param method its method in the controller
 * @param description decorators of an operation, made one by applyDecorators
 * @throws TypeError if the controller has no such method
 */
export function describeOperation<Controller>(
  controller: Type<Controller>,
  method: keyof Controller & string,
  description: MethodDecorator,
): void {
  const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, method);
  if (descriptor === undefined) throw new TypeError(`${controller.name} has no method ${method}.`);
  description(controller.prototype, method, descriptor);
}
