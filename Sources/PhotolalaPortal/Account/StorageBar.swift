import Localization
import UseCases

/// The template content of a bar that shows how much of the storage is used: amber from 80 %, red from 95 %.
enum StorageBar {
    static func content(used: Int64, limit: Int64, _ texts: LocalizedStrings) -> [String: any Sendable] {
        let limit = max(1, limit)
        return [
            "used": String(used), "limit": String(limit), "low": String(limit / 5 * 4), "high": String(limit / 20 * 19),
            "isNearLimit": used >= limit / 5 * 4,
            "level": used >= limit / 20 * 19 ? "full" : used >= limit / 5 * 4 ? "near" : "low",
            "usage": texts(.storageUsed, [.used: texts.size(used), .limit: texts.size(limit)]),
        ]
    }
}

extension PageContext {
    /// Returns the content of the bar in the navigation, by the last count. One request.
    func storageBar(_ page: AccountPage) async throws -> [String: any Sendable] {
        let stored = try await services.usage.lastCount(of: page.caller.user, caller: page.caller)
        return StorageBar.content(
            used: stored.storageUsed ?? 0, limit: stored.storageLimit, page.browserRequest.texts)
    }
}
