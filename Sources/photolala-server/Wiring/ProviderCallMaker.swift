import Flows
import ServiceLifecycle

/// Makes the calls to providers that this copy has just kept, beside its requests. Those that are left when the server
/// stops are in the store.
struct ProviderCallMaker: Service {
    let services: Services

    func run() async throws {
        await cancelWhenGracefulShutdown { await services.makeFreshProviderCalls() }
    }
}
