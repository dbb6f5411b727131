import Accounts
import Foundation
import PhotolalaAPI

/// Takes a test's word for who somebody is: for runs by the ten thousand, which are about what follows. Signing a real
/// token takes longer than a whole act.
struct PlainTokenVerifier: IdentityTokenVerifier {
    let provider: ProviderName

    /// A token that says so.
    static func token(
        _ provider: ProviderName, _ subject: String, email: String?, nonce: String?, at now: Date
    ) -> String {
        let parts = ["\(provider)", subject, email ?? "", nonce ?? "", "\(now.timeIntervalSince1970)"]
        return parts.joined(separator: "\n")
    }

    /// As the development provider names those who moved to another team.
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
