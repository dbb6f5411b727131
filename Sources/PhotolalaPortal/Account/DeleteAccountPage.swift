import Foundation
import Hummingbird
import Localization
import PhotolalaAPI
import UseCases

/// The page that deletes the account, and the form that keeps it while its deletion is scheduled.
struct DeleteAccountPage: Sendable {
    /// The path of the page and its form. The API's path is `/account/deletion`.
    static let path = "/account/delete"

    let context: PageContext
    let account: AccountPages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountPage(Self.path, on: router) { try await show($0) }
        account.mountAction(Self.path, on: router) { try await delete($0, $1) }
        account.mountAction("\(Self.path)/cancel", on: router) { page, _ in
            do {
                _ = try await context.services.deletion.cancel(page.caller)
            } catch ServiceError.noDeletionScheduled {
                // Already cancelled, which is the requested result.
            }
            return context.redirect(to: "\(Section.overview.path)?kept=1")
        }
    }

    /// Shows what is deleted, and the form unless the caller's identity may not delete the account.
    /// - Throws: `reauthenticationRequired`, before the person types anything.
    /// - Parameter typed: What the person has typed before choosing another language or theme.
    private func show(_ page: AccountPage, isWrong: Bool = false, typed: String = "") async throws -> Response {
        guard page.caller.account.value.shownDeletion == nil else { return context.redirect(to: Section.overview.path) }
        let texts = page.browserRequest.texts
        var content: [String: any Sendable] = [
            "isWrong": isWrong, "formToken": page.formToken, "action": Self.path, "typed": typed,
            "type": texts(.deleteType, [.word: DeletionRequest.confirmationText]),
        ]
        do throws(ServiceError) {
            try context.services.sensitiveActions.requireRecentAuthentication(page.caller, for: .deleteAccount)
        } catch {
            guard error != .reauthenticationRequired else { throw error }
            content["refusal"] = texts.message(for: context.refusal(error).code)
        }
        async let storage = context.storageBar(page)
        let overview = try await context.services.deletion.overview(page.caller)
        let kinds = kinds(of: overview.contents, texts)
        if let date = overview.countedAt, !kinds.isEmpty {
            content["contents"] =
                ["kinds": kinds, "counted": texts.timed(.storageCounted, date)] as [String: any Sendable]
        }
        content["undo"] =
            switch overview.undoDays {
            case 0: texts(.deleteUndoNone)
            case 1: texts(.deleteUndoDay)
            default: texts(.deleteUndoDays, [.count: texts.number(overview.undoDays)])
            }
        if !overview.subscriptions.isEmpty {
            let products = overview.subscriptions.map {
                ["product": $0.productID, "until": texts(.paidUntil, [.date: texts.day($0.expiresAt)])]
            }
            content["subscriptions"] =
                ["products": products, "manage": overview.manageSubscriptionsURL] as [String: any Sendable]
        }
        content["storage"] = try await storage
        content["timesModule"] = context.pages.asset("local_times.js")
        return try context.page(
            "delete_account", content, page, section: .overview,
            keeping: content["refusal"] == nil ? "confirming" : "", status: isWrong ? .badRequest : .ok,
            policy: .ownScripts)
    }

    private func kinds(of contents: UsageByKind, _ texts: LocalizedStrings) -> [[String: String]] {
        let other = StoredObjects(
            bytes: contents.catalogs.bytes + contents.data.bytes,
            objects: contents.catalogs.objects + contents.data.objects)
        let all = [
            ("photos", contents.photos), ("thumbnails", contents.thumbnails), ("previews", contents.previews),
            ("other", other),
        ]
        return all.compactMap { name, stored in stored.flatMap { $0.objects > 0 ? texts.kind(name, $0) : nil } }
    }

    /// Schedules the deletion. The response is the only one that contains the undo code, so it is no redirect.
    private func delete(_ page: AccountPage, _ form: Form) async throws -> Response {
        if let choice = try AppearanceChoice(form) {
            var page = page
            page.browserRequest.apply(choice, catalog: context.catalog)
            var response = try await show(page, typed: form["confirmation"] ?? "")
            response.set(choice)
            return response
        }
        let typed = (form["confirmation"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard typed == DeletionRequest.confirmationText else { return try await show(page, isWrong: true) }
        let overview = try await context.services.deletion.schedule(
            DeletionRequest(confirmation: typed), caller: page.caller)
        let texts = page.browserRequest.texts
        var content: [String: any Sendable] = [:]
        if let deletion = overview.deletion {
            content["text"] = texts(.deletingText, [.date: texts.time(deletion.erasesAt)])
        }
        if overview.undoDays > 0 { content["undoCode"] = overview.undoCode }
        content["receiptCode"] = overview.receiptCode
        content["module"] = context.pages.asset("copying.js")
        // The page stays although the session ends.
        var browserRequest = page.browserRequest
        browserRequest.account = nil
        var response = try context.page("deletion_scheduled", content, browserRequest, policy: .ownScripts)
        response.removeSession()
        return response
    }
}
