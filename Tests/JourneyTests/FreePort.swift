import NIOCore
import NIOPosix
import PhotolalaTesting
import Synchronization

/// Given once and never again: who asked for a port may not listen on it yet, or no more for the moment.
private let given = Mutex<Set<Int>>([])

/// A port that nobody listens on. None of those that a system gives to outgoing connections: one of them would be gone by
/// the time a server asks for it.
func freePort() async throws -> Int {
    for _ in 0..<100 {
        let port = Int.random(in: 20_000..<32_000)
        guard given.withLock({ $0.insert(port).inserted }) else { continue }
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        guard let channel = try? await bootstrap.bind(host: "127.0.0.1", port: port).get() else { continue }
        try await channel.close()
        return port
    }
    throw ConformanceFailure("no free port")
}
