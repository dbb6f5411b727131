import HTTPTypes
import Hummingbird
import IdentityProviders
import Localization
import NIOCore
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// The pages with a person's photos by date, and with the trash.
struct LibraryPages: Sendable {
    let context: PageContext
    let account: AccountPages
    let uploads: UploadEndpoints
    let purge: PurgePages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        for list in [PhotoList.photos, .trash] {
            account.mountPage(list.path, on: router) { try await show(list, $0) }
        }
        account.mountPage("/library/blocks", on: router) { try await blocks($0) }
        mountAction(on: .photos, router) { try await context.services.library.moveToTrash($0, caller: $1) }
        mountAction(on: .trash, router) { try await context.services.library.restoreFromTrash($0, caller: $1) }
    }

    /// Mounts a form that acts on photos. The form has one field per photo.
    private func mountAction<Context: RequestContext>(
        on list: PhotoList, _ router: RouterGroup<Context>,
        _ act: @escaping @Sendable (Set<ContentDigest>, Caller) async throws -> TrashSummary
    ) {
        account.mountAction(list.action, on: router) { page, form in
            let photos = Set(form.names.compactMap { ContentDigest($0) })
            let summary = photos.isEmpty ? nil : try await act(photos, page.caller)
            let missing = summary.map { $0.missing.isEmpty ? "" : "&gone=\($0.missing.count)" } ?? ""
            let near = form["near"].flatMap { ContentDigest($0) }.map { "&near=\($0)" } ?? ""
            let block = form["from"].flatMap { UInt32($0) } ?? 0
            // The undo of a change returns to the list that was changed.
            let isUndo = form["undo"] != nil
            let (back, outcome) = isUndo ? (list == .photos ? PhotoList.trash : .photos, "undone") : (list, "done")
            return context.redirect(
                to: "\(back.path)?from=\(block)\(near)&\(outcome)=\(summary?.files ?? 0)\(missing)")
        }
    }

    private func show(_ list: PhotoList, _ page: AccountPage) async throws -> Response {
        async let usage = context.services.usage.lastCount(of: page.caller.user, caller: page.caller)
        let library = try await context.services.library.showLibrary(page.caller)
        let timeline = library.timeline(list)
        let blocks = TimelineBlocks(timeline)
        let near = page.query["near"].flatMap { ContentDigest($0) }.flatMap { timeline.index(of: $0) }
        let shown = blocks.page(from: near.map(blocks.block(of:)) ?? page.query["from"].flatMap { Int($0) } ?? 0)
        let texts = page.browserRequest.texts
        let grid = PhotoGrid(list: list, timeline: timeline, blocks: blocks, texts: texts)
        let links = try await context.services.library.presignedURLs(grid.thumbnails(of: shown), caller: page.caller)
        var content: [String: any Sendable] = [
            "months": grid.months(of: shown, links: links.urls), "list": list.rawValue, "name": library.name,
            "overview": try grid.overview(), "jumps": grid.jumps(), "from": String(shown.lowerBound),
            "action": list.action, "formToken": page.formToken, "isTrash": list == .trash,
            "isEmpty": timeline.photos.isEmpty, "module": context.pages.asset("library.js"),
            "longest": String(UploadRequest.maximumPhotoSize), "batch": String(uploads.batchLength),
            "chosen": texts(.chosen), "uploadIcon": Icon.upload.html,
            "emptyIcon": (list == .trash ? Icon.trash : Icon.photos).html,
            "tooMany": texts(.chosenTooMany),
            "uploadTexts": try ScriptValue.json(texts.family(.upload)),
        ]
        let stored = try await usage
        content["storage"] = StorageBar.content(used: stored.storageUsed ?? 0, limit: stored.storageLimit, texts)
        if let deletion = page.caller.account.value.shownDeletion {
            content["deleting"] = texts(.deletingSoon, [.date: texts.time(deletion.erasesAt)])
        }
        content["canUpload"] = list == .photos && content["deleting"] == nil
        if list == .trash { content.merge(purge.content(page)) { first, _ in first } }
        if list == .photos, try await context.services.library.hasArchives(page.caller) {
            content["recall"] = RecallPages.path
        }
        if shown.lowerBound > 0 { content["newer"] = "\(list.path)?from=\(blocks.start(before: shown.lowerBound))" }
        if shown.upperBound < blocks.blocks.count { content["older"] = "\(list.path)?from=\(shown.upperBound)" }
        if let notice = Self.notice(list, page) { content["done"] = notice }
        if page.query["done"].flatMap({ Int($0) }).map({ $0 > 0 }) == true {
            content["undo"] = list == .photos ? PhotoList.trash.action : PhotoList.photos.action
        }
        return try context.page(
            "library", content, page, section: list == .trash ? .trash : .photos,
            policy: PagePolicy(formActions: ["'self'"], store: links.origin, hasScripts: true))
    }

    /// Returns the notice about the act that led to this page.
    private static func notice(_ list: PhotoList, _ page: AccountPage) -> String? {
        if let notice = list == .trash ? PurgePages.notice(page) : RecallPages.notice(page) { return notice }
        let texts = page.browserRequest.texts
        if let undone = page.query["undone"].flatMap({ Int($0) }), undone >= 0 {
            return texts(list == .photos ? .restored : .trashed, [.count: String(undone)])
        }
        guard let done = page.query["done"].flatMap({ Int($0) }), done >= 0 else { return nil }
        let missing = page.query["gone"].flatMap { Int($0) }.map { texts(.restoredGone, [.count: String($0)]) }
        return ([texts(list == .photos ? .trashed : .restored, [.count: String(done)])] + [missing])
            .compactMap { $0 }.joined(separator: " ")
    }

    /// Returns a block and the blocks that follow it on the same page, for the page's script.
    private func blocks(_ page: AccountPage) async throws -> Response {
        guard let list = page.query["list"].flatMap({ PhotoList(rawValue: $0) }), let name = page.query["name"],
            let first = page.query["from"].flatMap({ Int($0) })
        else { throw ServiceError.invalidRequest("missing or invalid parameter: list, name or from") }
        let library = try await context.services.library.shownVersion(page.caller, named: name)
        let timeline = library.timeline(list)
        let blocks = TimelineBlocks(timeline)
        guard blocks.blocks.indices.contains(first) else { throw ServiceError.notFound }
        let grid = PhotoGrid(list: list, timeline: timeline, blocks: blocks, texts: page.browserRequest.texts)
        let shown = blocks.page(from: first)
        let links = try await context.services.library.presignedURLs(grid.thumbnails(of: shown), caller: page.caller)
        let html = try context.pages.html(
            "library_blocks", ["blocks": grid.blocks(shown, links: links.urls), "t": page.browserRequest.texts.all])
        return Response(
            status: .ok, headers: PagePolicy().headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }
}
