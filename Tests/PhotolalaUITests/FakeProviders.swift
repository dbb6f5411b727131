import PhotolalaClient
import PhotolalaTesting
import Synchronization

/// Providers whose sign-in succeeds unless a test says otherwise.
final class FakeProviders: Sendable {
    private struct SignIn: ProviderSignIn {
        let provider: ProviderName
        let providers: FakeProviders

        func authenticate(nonce: String) async throws(PhotolalaError) -> ProviderCredential {
            try await providers.authenticate(provider, nonce)
        }
    }

    let asked = Mutex<[ProviderName]>([])
    private let failures = Mutex<[PhotolalaError]>([])
    private let hold = Mutex<(arrived: Gate, end: Gate)?>(nil)

    var signIns: [any ProviderSignIn] {
        [ProviderName.google, .apple, .microsoft].map { SignIn(provider: $0, providers: self) }
    }

    /// The next sign-in fails.
    func failNext(_ code: ErrorCode) {
        failures.withLock { $0.append(PhotolalaError(code: code, detail: "text")) }
    }

    /// All sign-ins wait.
    func hold(_ arrived: Gate, until end: Gate) { hold.withLock { $0 = (arrived, end) } }

    private func authenticate(
        _ provider: ProviderName, _ nonce: String
    ) async throws(PhotolalaError) -> ProviderCredential {
        asked.withLock { $0.append(provider) }
        if let hold = hold.withLock({ $0 }) {
            hold.arrived.open()
            await hold.end.wait()
        }
        if let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
        return ProviderCredential(
            provider: provider, idToken: "token of \(provider) for \(nonce)", fullName: "Bob of \(provider)")
    }
}
