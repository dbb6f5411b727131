import Accounts
import Foundation
import PhotolalaAPI

/// Accepts identities without signatures, for tests with tens of thousands of runs. Signing a real token takes longer
/// than a complete operation.
struct PlainTokenVerifier: IdentityTokenVerifier {
    let provider: ProviderName

    /// Returns a token for an identity.
    static func token(
        _ provider: ProviderName, _ subject: String, email: String?, nonce: String?, at now: Date
    ) -> String {
        let parts = ["\(provider)", subject, email ?? "", nonce ?? "", "\(now.timeIntervalSince1970)"]
        return parts.joined(separator: "\n")
    }

    /// Returns the id that the development provider assigns to people who moved to another team.
    private func transferID(of subject: String) -> String? {
        provider == .apple && subject.hasPrefix("moved-") ? "transfer-\(subject.dropFirst("moved-".count))" : nil
    }

    func verify(_ token: String) async throws(IdentityTokenError) -> VerifiedIdentity {
        let parts = token.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0] == "\(provider)", let time = TimeInterval(parts[4]) else {
            throw .malformed("no plain token")
        }
        let email = parts[2].isEmpty ? nil : parts[2]
        return VerifiedIdentity(
            provider: provider, subject: parts[1],
            email: email.map { address in
                VerifiedEmail(address: address, isVerified: true, isPrivate: false, isTrusted: provider != .facebook)
            },
            nonce: parts[3].isEmpty ? nil : parts[3], transferID: transferID(of: parts[1]),
            issuedAt: Date(timeIntervalSince1970: time)
        )
    }
}
