import { describeHandingOver } from './payment-processor/handing-over.js';
import { describeOverdueSettlement } from './payment-processor/overdue-settlement.js';
import { usePaymentProcessor } from './payment-processor/payment-processor-world.js';
import { describeSenselessAnswers } from './payment-processor/senseless-answers.js';
import { describeWatchingSettlement } from './payment-processor/watching-settlement.js';

usePaymentProcessor();

describeHandingOver();
describeWatchingSettlement();
describeOverdueSettlement();
describeSenselessAnswers();
