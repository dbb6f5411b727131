import Foundation
import PhotolalaAPI
import PhotolalaClient

/// Checks the session, the account and the photo store, with the calls of other commands.
struct AccountExamination: Sendable {
    let session: PhotolalaSession
    let checkStore: @Sendable () async throws -> Void
    /// The time for each check.
    let limit: Duration

    func findings() async -> [Finding] {
        do {
            guard try await session.signedInUserID() != nil, let end = try await session.sessionEnd() else {
                return [Finding("session", .problem, "not signed in", remedy: "Sign in: photolala signin")]
            }
            _ = try await session.device()
            let user = try await TimeLimit.within(limit) { try await session.user() }
            let detail = "signed in; expires on \(DateText.day(end)) if unused"
            return [Finding("session", .ok, detail), account(user), await storage(), await store()]
        } catch { return [Finding("session", error)] }
    }

    private func account(_ user: User) -> Finding {
        guard let deletion = user.deletion else { return Finding("account", .ok, "\(user.serviceUserID)") }
        return Finding(
            "account", .warning, DeletionStrings.notice(deletion),
            remedy: "To keep it: photolala delete-account --cancel")
    }

    private func storage() async -> Finding {
        do {
            let usage = try await TimeLimit.within(limit) { try await session.usage() }
            let (used, all) = (usage.storageUsed ?? 0, usage.storageLimit)
            guard let warning = StorageStrings.warning(usage.fullness, used: used, limit: all) else {
                return Finding("storage", .ok, "\(ByteText.text(used)) of \(ByteText.text(all)) used")
            }
            return Finding("storage", usage.fullness == .full ? .problem : .warning, warning)
        } catch { return Finding("storage", error) }
    }

    private func store() async -> Finding {
        do {
            try await TimeLimit.within(limit) { try await checkStore() }
            return Finding("store", .ok, "the photo store accepts new credentials")
        } catch { return Finding("store", error) }
    }
}
