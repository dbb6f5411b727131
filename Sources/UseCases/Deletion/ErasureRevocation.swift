import Accounts
import ObjectStorage
import PhotolalaAPI

/// Revokes the provider tokens of an account that is being deleted.
struct ErasureRevocation: Sendable {
    let tokenLifecycle: ProviderTokenLifecycle
    let providerTokens: ProviderTokens

    /// Returns the providers of stored tokens, none of them answered yet.
    func pending(of user: UserID) async throws -> [String: ProviderRevocation] {
        guard let tokens = try? await providerTokens.all(of: user) else { return [:] }
        return Dictionary(tokens.map { ($0.value.provider.description, .unknown) }) { first, _ in first }
    }

    /// Asks the providers to revoke all tokens of an account, and deletes those that are revoked.
    /// - Parameter isLast: whether there is no further attempt; failures are then answers.
    /// - Returns: the answers by provider, and why other requests failed; the tokens of these stay.
    func revokeAll(
        of user: UserID, isLast: Bool
    ) async throws -> (answers: [String: ProviderRevocation], failures: [String]) {
        var answers: [String: ProviderRevocation] = [:]
        var failures: [String] = []
        guard let all = try await readable(of: user) else { return ([:], isLast ? [] : ["unreadable provider tokens"]) }
        for stored in all {
            let provider = stored.value.provider
            // A failure counts for all tokens of the provider.
            func record(_ answer: ProviderRevocation) {
                if answers[provider.description] != .failed { answers[provider.description] = answer }
            }
            guard tokenLifecycle.tokenServices[provider] != nil else {
                record(.notConfigured)
                continue
            }
            do {
                try await tokenLifecycle.revokeTokens(stored, user)
                record(.requested)
            } catch ProviderTokenError.refused {
                record(.requested)
            } catch {
                if isLast { record(.failed) } else { failures.append("revocation at \(provider): \(error)") }
            }
        }
        return (answers, failures)
    }

    /// Returns the tokens; `nil` if some are unreadable. These cannot be revoked and are erased in the end.
    private func readable(of user: UserID) async throws -> [Stored<ProviderTokensDocument>]? {
        do {
            return try await providerTokens.all(of: user)
        } catch let error {
            if case .store(.corrupted) = error { return nil }
            throw error
        }
    }
}
