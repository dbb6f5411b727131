import Foundation
import HTTPTypes
import Hummingbird
import JSONCoding
import Operators
import Secrets
import UseCases

/// An operator who is signed in to the console: a sealed cookie that names the key, never the key itself.
struct ConsoleSession: Codable, Sendable {
    static let cookie = "__Host-photolala-console"
    /// In seconds.
    static let lifetime: TimeInterval = 8 * 3600

    let key: String
    /// The reason for every call of this session.
    let reason: String
    let endsAt: Date
}

/// Makes and reads the console's cookie.
struct ConsoleSessions: Sendable {
    private static let context = "console"

    let services: OperatorServices
    let keyRing: KeyRing
    let randomness: Randomness
    let now: @Sendable () -> Date

    /// Signs an operator in: records the call and returns the cookie.
    /// - Throws: `OperatorCalls.Refusal` for an invalid key or reason.
    func begin(key text: String, reason: String) async throws -> Cookie {
        let key = try await services.calls.authenticate(text)
        let reason = try await services.calls.begin(.openConsole, by: key, on: nil, reason: reason)
        let end = now().addingTimeInterval(ConsoleSession.lifetime)
        let session = ConsoleSession(key: key.id, reason: reason.text, endsAt: end)
        let sealed = try keyRing.seal(
            Data(try CompactJSON.encode(session)), for: .operatorConsole, context: Self.context, randomness: randomness)
        return cookie(sealed, for: Int(ConsoleSession.lifetime))
    }

    /// Returns the cookie that ends a session in the browser.
    var ended: Cookie { cookie("", for: 0) }

    /// Returns the session of a request and its key; `nil` if there is none, or the key has ended since. One read.
    func session(of request: Request) async throws -> (session: ConsoleSession, key: OperatorKey)? {
        guard let sealed = request.cookies[ConsoleSession.cookie]?.value,
            let bytes = try? keyRing.open(sealed, for: .operatorConsole, context: Self.context),
            let session = try? CompactJSON.decode(ConsoleSession.self, from: Array(bytes)), session.endsAt > now(),
            let key = try await services.calls.keys.validKey(session.key)
        else { return nil }
        return (session, key)
    }

    /// Bound to this host, and sent only over HTTPS or to a loopback address (RFC 6265bis section 4.1.3.2).
    private func cookie(_ value: String, for seconds: Int) -> Cookie {
        Cookie(
            name: ConsoleSession.cookie, value: value, maxAge: seconds, path: "/", secure: true, httpOnly: true,
            sameSite: .strict)
    }
}
