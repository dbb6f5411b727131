import Foundation
import Hummingbird
import Localization
import PhotolalaAPI
import UseCases

/// The page that creates an export of the account and downloads it.
struct ExportPage: Sendable {
    /// The path of the page and its form. The API's path is `/account/export`.
    static let path = "/account/data"
    private static let downloadPath = "\(path)/download"
    /// The field of the page's URL after a download of an export that is not stored.
    private static let unfinishedField = "unfinished"

    let context: PageContext
    let account: AccountPages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountPage(Self.path, on: router) { try await show($0) }
        account.mountAction(Self.path, on: router) { page, _ in
            _ = try await context.services.export.create(page.caller)
            return context.redirect(to: Self.path)
        }
        router.get(RouterPath(Self.downloadPath)) { request, _ in
            let page = try await AccountPage(request, context)
            guard let export = context.services.export.current(page.caller).export else {
                return context.redirect(to: Self.path)
            }
            do {
                let download = try await context.services.export.open(export.id, caller: page.caller)
                return try await download.response(to: request)
            } catch ServiceError.notFound {
                var response = context.redirect(to: "\(Self.path)?\(Self.unfinishedField)=1")
                response.permitReport()
                return response
            }
        }
    }

    private func show(_ page: AccountPage) async throws -> Response {
        async let storage = context.storageBar(page)
        let texts = page.browserRequest.texts
        let deletion = page.caller.account.value.shownDeletion
        var content: [String: any Sendable] = ["action": Self.path, "formToken": page.formToken]
        if let deletion { content["deleting"] = texts(.deletingSoon, [.date: texts.time(deletion.erasesAt)]) }
        do throws(ServiceError) {
            try context.services.sensitiveActions.requireRecentAuthentication(page.caller, for: .exportAccount)
        } catch {
            guard error == .reauthenticationRequired else { throw error }
            content["confirm"] = PageContext.reauthenticationPath(to: .page(Self.path))
        }
        if let export = context.services.export.current(page.caller).export {
            // The erasure also removes the export.
            let end = min(export.expiresAt, deletion?.erasesAt ?? export.expiresAt)
            let facts = [
                texts(.exportCreated, [.date: texts.time(export.createdAt)]),
                texts(.exportCount, [.count: texts.items(export.photos)]),
                texts(.exportSize, [.size: texts.size(export.size)]),
                texts(.exportUntil, [.date: texts.time(end)]),
            ]
            var shown: [String: any Sendable] = [
                "facts": facts.map { ["text": $0] }, "download": Self.downloadPath,
                "isUnfinished": page.query[Self.unfinishedField] != nil,
            ]
            var notices: [String] = []
            if export.missingPhotos > 0 {
                notices.append(texts(.exportMissing, [.count: texts.items(export.missingPhotos)]))
            }
            if export.archivedPhotos > 0 {
                notices.append(texts(.exportArchived, [.count: texts.items(export.archivedPhotos)]))
            }
            if export.isCatalogDamaged { notices.append(texts(.exportDamaged)) }
            shown["notices"] = notices.map { ["text": $0] }
            content["export"] = shown
        }
        content["storage"] = try await storage
        return try context.page("export", content, page, section: .overview)
    }
}
