import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

/// Three instances of the server on one bucket, as behind a load balancer.
final class ServerInstances: Sendable {
    let engine: SeaweedFS
    private let servers: Mutex<[ServerProcess]>

    private init(_ engine: SeaweedFS, _ servers: [ServerProcess]) {
        self.engine = engine
        self.servers = Mutex(servers)
    }

    /// Runs the engine and the instances while the body runs.
    static func run(_ body: @Sendable (ServerInstances) async throws -> Void) async throws {
        try await SeaweedFS.run { engine in
            let first = try await ServerProcess(on: engine, transport: engine.transport)
            var servers = [first]
            for _ in 1..<3 {
                servers.append(
                    try await ServerProcess(on: engine, transport: engine.transport, publicURL: first.address)
                )
            }
            let copies = ServerInstances(engine, servers)
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(copies))
            } catch {
                result = .failure(error)
            }
            for server in copies.servers.withLock({ $0 }) { server.kill() }
            try result.get()
        }
    }

    /// The address of an instance; numbers wrap around, which distributes consecutive numbers over all instances.
    subscript(_ number: Int) -> String { servers.withLock { $0[number % $0.count].address } }

    func kill(_ number: Int) { servers.withLock { $0[number] }.kill() }

    /// Restarts a killed instance at the same address.
    func restart(_ number: Int) async throws {
        let earlier = servers.withLock { $0[number] }
        let next = try await ServerProcess(
            on: engine, transport: engine.transport, publicURL: self[0], onPortsOf: earlier
        )
        servers.withLock { $0[number] = next }
    }

    func person(_ number: Int) -> Person { Person(number, transport: engine.transport) }

    /// Checks all stored objects: every identity has one identity binding, and repair finds nothing lost.
    /// - Returns: the number of identity bindings.
    func check() async throws -> Int {
        let store = try engine.store()
        var (claims, after): (Int, String?) = (0, nil)
        repeat {
            let page = try await store.list(prefix: StorageLayout.identities, after: after, limit: 1000)
            claims += page.objects.count
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        let repair = try OperatorCommand.run("repair", "--json", on: engine)
        #expect(repair.status == 0, "\(repair.output.suffix(2000))")
        return claims
    }
}
