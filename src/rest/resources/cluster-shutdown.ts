import { defineEndpoint, type Endpoint } from '../endpoint.js';

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'DELETE',
    url: '/cluster',
    handle: (_request, { services }) => {
      services.shutdown();
      return {};
    },
  }),
];
