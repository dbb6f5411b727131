import Crypto
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Synchronization
import UseCases

/// Measures the cost of device keys on the server: an API call and a refresh, with and without a key, on an in-memory
/// store. Proofs are created before the measurement, because clients create them.
///
///     benchmark-device-keys [CALLS]
@main
enum DeviceKeyBenchmark {
    static func main() async throws {
        let calls = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2000
        var options = TestService.Options()
        options.rememberedProofs = 10 * calls
        let service = try await TestService.make(options)
        let key = P256.Signing.PrivateKey()
        let bound = try await service.signUp(.apple, "bob", device: 1, key: key)
        let free = Mutex(try await service.signIn(.apple, "bob", device: 2).session)
        let user = bound.user.serviceUserID
        let path = "/users/\(user)"
        // Alternates, so that other load on the machine affects both.
        for round in 1...3 {
            let bearer = try await measure(service, calls) { _ in
                _ = try await service.services.account.user(
                    user, caller: try await service.caller(free.withLock { $0 }))
            }
            let proofs = try (0..<calls).map { _ in
                try service.dpopProof(of: key, "GET", path, accessToken: bound.session.accessToken)
            }
            let dpop = try await measure(service, calls) { number in
                let caller = try await service.services.authenticator.authenticate(
                    bound.session.accessToken, proofs[number])
                _ = try await service.services.account.user(user, caller: caller)
            }
            let rotating = try await measure(service, calls) { _ in
                let request = RefreshRequest(refreshToken: free.withLock { $0.refreshToken })
                let next = try await service.services.sessions.refresh(request).session
                free.withLock { $0 = next }
            }
            let refreshProofs = try (0..<calls).map { _ in
                try service.dpopProof(of: key, "POST", Route.refresh.path)
            }
            let standing = try await measure(service, calls) { number in
                let request = RefreshRequest(refreshToken: bound.session.refreshToken)
                _ = try await service.services.sessions.refresh(request, refreshProofs[number])
            }
            say("round \(round)")
            say("  GET /users/{id}    Bearer \(bearer)   DPoP \(dpop)")
            say("  POST /auth/refresh Bearer \(rotating)   DPoP \(standing)")
        }
    }

    /// Returns the microseconds and store requests per call.
    private static func measure(
        _ service: TestService, _ calls: Int, _ call: @Sendable (Int) async throws -> Void
    ) async throws -> String {
        _ = service.store.drainRequests()
        let time = try await ContinuousClock().measure {
            for number in 0..<calls { try await call(number) }
        }
        let requests = service.store.drainRequests()
        let writes = requests.count { $0.kind == .write }
        let microseconds = time / .microseconds(calls)
        return String(
            format: "%6.1f µs, %.1f reads, %.1f writes", microseconds,
            Double(requests.count - writes) / Double(calls), Double(writes) / Double(calls))
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
