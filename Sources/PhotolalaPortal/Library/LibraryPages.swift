import HTTPTypes
import Hummingbird
import IdentityProviders
import Localization
import NIOCore
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// The pages with a person's photos by date, with the favorites, with the archive, with what a search finds, and
/// with the trash.
struct LibraryPages: Sendable {
    let context: PageContext
    let account: AccountPages
    let uploads: UploadEndpoints
    let purge: PurgePages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        for list in [PhotoList.photos, .trash] {
            account.mountPage(list.path, on: router) { page in
                try await show(try LibraryQuery(list, { page.query[$0] }, context.vocabulary), page)
            }
        }
        account.mountPage(LibraryQuery.favoritesPath, on: router) { page in
            try await show(try LibraryQuery(.photos, isFavorite: true, context.vocabulary), page)
        }
        account.mountPage(LibraryQuery.archivePath, on: router) { page in
            try await show(try LibraryQuery(.photos, isHidden: true, context.vocabulary), page)
        }
        account.mountPage("/library/blocks", on: router) { try await blocks($0) }
        account.mountPage(Self.statePath, on: router) { try await state($0) }
        account.mountAction("/library/links", on: router) { try await links($0, $1) }
        account.mountAction(LibraryQuery.favoritesPath, on: router) { try await setFavorite($0, $1) }
        account.mountAction(LibraryQuery.archivePath, on: router) { try await setArchived($0, $1) }
        mountAction(on: .photos, router) { try await context.services.library.moveToTrash($0, caller: $2) }
        mountAction(on: .trash, router) {
            try await context.services.library.restoreFromTrash($0, isUndo: $1, caller: $2)
        }
    }

    /// Mounts a form that acts on photos. The form has one field per photo.
    private func mountAction<Context: RequestContext>(
        on list: PhotoList, _ router: RouterGroup<Context>,
        _ act: @escaping @Sendable (_ photos: Set<ContentDigest>, _ isUndo: Bool, Caller) async throws -> TrashSummary
    ) {
        account.mountAction(list.action, on: router) { page, form in
            let photos = Set(form.names.compactMap { ContentDigest($0) })
            // The undo of a change returns to the list that was changed.
            let isUndo = form["undo"] != nil
            let (back, outcome) = isUndo ? (list == .photos ? PhotoList.trash : .photos, "undone") : (list, "done")
            let query = try LibraryQuery(back, { form[$0] }, context.vocabulary)
            let summary = photos.isEmpty ? nil : try await act(photos, isUndo, page.caller)
            let missing = summary.map { $0.missing.isEmpty ? "" : "&gone=\($0.missingContents)" } ?? ""
            return context.redirect(
                to: query.path(Self.position(form), "\(outcome)=\(summary?.photos ?? 0)\(missing)"))
        }
    }

    /// Returns the parameters for the position on the page to which a form returns.
    static func position(_ form: Form) -> String {
        let near = form["near"].flatMap { ContentDigest($0) }.map { "&near=\($0)" } ?? ""
        return "from=\(form["from"].flatMap { UInt32($0) } ?? 0)\(near)"
    }

    /// Makes photos favorites, or no favorites any more. The form of a photo's page returns to that page.
    private func setFavorite(_ page: AccountPage, _ form: Form) async throws -> Response {
        let photos = Set(form.names.compactMap { ContentDigest($0) })
        let isFavorite = form["favorite"] == "1"
        let query = try LibraryQuery(.photos, { form[$0] }, context.vocabulary)
        let changed =
            photos.isEmpty
            ? 0 : try await context.services.library.setFavorite(isFavorite, of: photos, caller: page.caller)
        let photo = form["page"] == "photo" ? photos.first : nil
        let path = query.path(Self.position(form), "\(isFavorite ? "favorited" : "unfavorited")=\(changed)")
        return try await ChangedPhotos.response(photos, to: photo.map { query.path(of: $0) } ?? path, page, context)
    }

    /// Archives photos, or shows them among all photos again.
    private func setArchived(_ page: AccountPage, _ form: Form) async throws -> Response {
        let photos = Set(form.names.compactMap { ContentDigest($0) })
        let isHidden = form["archived"] == "1"
        let query = try LibraryQuery(.photos, { form[$0] }, context.vocabulary)
        let changed =
            photos.isEmpty
            ? 0 : try await context.services.library.setHidden(isHidden, of: photos, caller: page.caller)
        return context.redirect(
            to: query.path(Self.position(form), "\(isHidden ? "archived" : "unarchived")=\(changed)"))
    }

    /// Returns the names, sizes, dates and signed addresses of photos and of the files that belong to them, for the
    /// page's script.
    private func links(_ page: AccountPage, _ form: Form) async throws -> Response {
        let photos = Set(form.names.compactMap { ContentDigest($0) })
        let list = form["list"].flatMap { PhotoList(rawValue: $0) } ?? .photos
        let files = try await context.services.library.showLibrary(page.caller).files(of: photos, in: list)
        let links = try await context.services.library.presignedURLs(
            files.map { .download($0, name: $0.path.name) }, caller: page.caller)
        let body = zip(files, links.urls).map { file, url in
            ScriptFile(name: file.path.name, size: file.size, date: file.dateText, url: url)
        }
        return try Response(json: ["files": body])
    }

    private struct ScriptFile: Encodable {
        let name: String
        let size: Int64
        let date: String
        let url: String
    }

    private func show(_ query: LibraryQuery, _ page: AccountPage) async throws -> Response {
        // Photos are chosen for an album among those of the library, not of another album.
        if query.destination != nil, page.query["album"] != nil { return context.redirect(to: query.path()) }
        async let storage = context.storageBar(page)
        let view = try await context.services.library.view(query, caller: page.caller)
        let outcome = try await AlbumPages.outcome(page, context)
        var content: [String: any Sendable] = ["storage": try await storage]
        if view.timeline.photos.isEmpty, !query.text.isEmpty, view.destination == nil {
            content["proposals"] = try await Suggestions(context: context).proposals(for: query, page)
        }
        if query.list == .photos, try await context.services.library.hasArchives(page.caller) {
            content["recall"] = RecallPages.path
        }
        // What waits for the store comes before.
        return try await context.services.library.render(for: page.caller) { [content] in
            try await show(query, page, view, outcome, content)
        }
    }

    private func show(
        _ query: LibraryQuery, _ page: AccountPage, _ view: LibraryView, _ outcome: AlbumOutcome?,
        _ known: [String: any Sendable]
    ) async throws -> Response {
        let (list, timeline) = (query.list, view.timeline)
        let near = page.query["near"].flatMap { ContentDigest($0) }.flatMap { timeline.index(of: $0) }
        let texts = page.browserRequest.texts
        let grid = PhotoGrid(query: query, view: view, texts: texts, now: context.services.now())
        let blocks = grid.blocks
        let from = near.map(blocks.block(of:)) ?? page.query["from"].flatMap { Int($0) } ?? 0
        let shown = blocks.page(from: from)
        let links = try await context.services.library.presignedURLs(grid.pictures(of: shown), caller: page.caller)
        let isAsked = query.isSearch || page.query.names.contains("q")
        // Photos can also be searched and filtered while some of them are chosen for an album.
        let isSearch = isAsked || view.destination != nil && (query.isFavorite || !timeline.photos.isEmpty)
        var content: [String: any Sendable] = [
            "months": grid.months(of: shown, links: links.urls), "list": list.rawValue, "name": view.name,
            "overview": try grid.overview(), "isLong": grid.isLong, "hasJumps": grid.hasJumps,
            "years": grid.jumps(), "statePath": Self.statePath,
            "from": String(shown.contains(from) ? from : shown.lowerBound),
            "action": list.action, "formToken": page.formToken, "isTrash": list == .trash,
            "isEmpty": timeline.photos.isEmpty, "module": context.pages.asset("library.js"),
            "chosen": texts(.chosen), "icons": Icon.all,
            "emptyIcon": (isSearch ? Icon.search : query.section.icon ?? .photos).html,
            "heading": query.title(texts, view),
            "isSearch": isSearch, "isFavorites": query.section == .favorites, "isArchive": query.isHidden,
            "isPhotos": list == .photos, "favoritesPath": LibraryQuery.favoritesPath,
            "archivePath": LibraryQuery.archivePath, "searched": query.text, "albumAddPath": AlbumPages.addPath,
            "fields": query.parameters.map { ["name": $0.name, "value": $0.value] },
            "viewQuery": query.encoded.joined(separator: "&"),
            "tooMany": texts(.chosenTooMany), "zipProgress": texts(.zipProgress),
            "isWhole": query.isWhole && list == .photos,
        ]
        if let album = view.album {
            content["albumEditPath"] = AlbumPages.editPath(of: album.id)
            if context.services.sharing.isEnabled {
                content["albumSharePath"] = SharedLinkPages.path(toShare: album.id)
            }
            content["albumRemovePath"] = AlbumPages.removePath
            content["albumCoverPath"] = AlbumPages.coverPath
            content["choicePath"] = try AlbumPages.path(toChooseFor: album.id, context)
            if !isSearch { content.merge(AlbumPages.facts(timeline, query, texts)) { $1 } }
        }
        if let destination = view.destination {
            content.merge(try AlbumPages.choice(for: destination, texts, context)) { $1 }
        }
        if context.services.sharing.isEnabled { content["sharePath"] = SharedLinkPages.newPath }
        content.merge(known) { own, _ in own }
        if let deletion = page.caller.account.value.shownDeletion {
            content["deleting"] = texts(.deletingSoon, [.date: texts.time(deletion.erasesAt)])
        }
        if list == .photos, view.destination == nil {
            content.merge(try uploads.panel(page, showing: query, of: view.album)) { own, _ in own }
        }
        if isSearch {
            content["facts"] = texts.counted(timeline.photos.count, .foundOne, .found)
            content["kinds"] = try filters(query, view, texts)
            content["searchFields"] = query.filters.map { ["name": $0.name, "value": $0.value] }
            if !query.filters.isEmpty {
                content["unfiltered"] = Self.searchPath(
                    try query.with(kind: nil, isFavorite: false, camera: nil, context.vocabulary))
            }
            let cameras = try cameras(query, view)
            if !cameras.isEmpty { content["cameras"] = ["choices": cameras] }
        }
        content["searchFields"] = query.keptParameters(isSearch: isSearch).map { ["name": $0.name, "value": $0.value] }
        if list == .trash { content.merge(purge.content(page)) { first, _ in first } }
        if shown.lowerBound > 0 { content["newer"] = query.path("from=\(blocks.start(before: shown.lowerBound))") }
        if shown.upperBound < blocks.blocks.count { content["older"] = query.path("from=\(shown.upperBound)") }
        if let notice = outcome?.text(texts) ?? Self.notice(list, page) { content["done"] = notice }
        if page.query["done"].flatMap({ Int($0) }).map({ $0 > 0 }) == true {
            content["undo"] = list == .photos ? PhotoList.trash.action : PhotoList.photos.action
            content["undone"] = list.action
        }
        if let outcome {
            content["undo"] = outcome.undo
            content["undone"] = outcome.changed
            content["undoAlbum"] = outcome.id.description
            content["undoCount"] = String(outcome.count)
            if outcome.isMember, outcome.id != query.album { content["shownAlbum"] = try outcome.path(context) }
        }
        for change in MarkChange.all where page.query[change.name] != nil {
            content["undo"] = change.path
            content["undone"] = change.path
            content["undoField"] = ["name": change.field, "value": change.undoing]
            content["undoCount"] = page.query[change.name]
        }
        return try context.page(
            "library", content, page, section: query.section,
            policy: UploadEndpoints.policy(content, store: links.origin))
    }

    /// Returns the kinds to which a search can be limited, and the favorites, without those that find nothing.
    private func filters(
        _ query: LibraryQuery, _ view: LibraryView, _ texts: LocalizedStrings
    ) throws -> [[String: any Sendable]] {
        // A word of the search may name the kind.
        let (current, present) = (query.kind ?? query.namedKind, view.kinds())
        var filters = try LibraryQuery.kinds.compactMap { kind, title -> [String: any Sendable]? in
            if let kind, kind != current, !present.contains(kind) { return nil }
            let other = try query.with(
                text: kind == nil ? query.textWithoutKinds(context.vocabulary) : query.text, kind: kind,
                isFavorite: query.isFavorite, camera: query.camera, context.vocabulary)
            return ["path": Self.searchPath(other), "title": texts(title), "current": current == kind]
        }
        if query.isFavorite || view.hasFavorite() {
            let other = try query.with(
                kind: query.kind, isFavorite: !query.isFavorite, camera: query.camera, context.vocabulary)
            filters.append([
                "path": Self.searchPath(other), "title": texts.all[Section.favorites.rawValue] ?? "",
                "current": query.isFavorite, "icon": Icon.favorite.html,
            ])
        }
        return filters
    }

    /// Returns the camera to which a search is limited, and the most used ones of what it finds of any camera.
    private func cameras(_ query: LibraryQuery, _ view: LibraryView) throws -> [[String: any Sendable]] {
        let others = view.mostUsedCameras().filter { $0 != query.camera }
        let offered = (query.camera.map { [$0] } ?? []) + others
        return try offered.prefix(LibraryView.mostCameras).map { camera in
            let isCurrent = camera == query.camera
            let other = try query.with(
                kind: query.kind, isFavorite: query.isFavorite, camera: isCurrent ? nil : camera, context.vocabulary)
            return ["path": Self.searchPath(other), "title": camera.description, "current": isCurrent]
        }
    }

    /// Returns the address of a search, which also shows the filters if nothing is searched.
    private static func searchPath(_ query: LibraryQuery) -> String {
        let parameters = (query.text.isEmpty ? [("q", "")] : []) + query.parameters
        return "\(query.list.path)?\(parameters.map { "\($0.0)=\(Form.escaped($0.1))" }.joined(separator: "&"))"
    }

    /// Returns the notice about the act that led to this page.
    private static func notice(_ list: PhotoList, _ page: AccountPage) -> String? {
        if let notice = list == .trash ? PurgePages.notice(page) : RecallPages.notice(page) { return notice }
        let texts = page.browserRequest.texts
        if let notice = AlbumPages.coverNotice(page) { return notice }
        if let undone = page.query["undone"].flatMap({ Int($0) }), undone >= 0 {
            return texts(list == .photos ? .restored : .trashed, [.count: texts.items(undone)])
        }
        for change in MarkChange.all {
            if let count = page.query[change.name].flatMap({ Int($0) }), count >= 0 {
                return texts(change.text, [.count: texts.items(count)])
            }
        }
        guard let done = page.query["done"].flatMap({ Int($0) }), done >= 0 else { return nil }
        let missing = page.query["gone"].flatMap { Int($0) }.map { texts(.restoredGone, [.count: texts.items($0)]) }
        return ([texts(list == .photos ? .trashed : .restored, [.count: texts.items(done)])] + [missing])
            .compactMap { $0 }.joined(separator: " · ")
    }

    /// Returns the name of the current state of a list, for the page's script: another one than that of the page means
    /// that the list has changed.
    private func state(_ page: AccountPage) async throws -> Response {
        guard let list = page.query["list"].flatMap({ PhotoList(rawValue: $0) }) else {
            throw ServiceError.invalidRequest("missing or invalid parameter: list")
        }
        let query = try LibraryQuery(list, { page.query[$0] }, context.vocabulary)
        return try Response(json: ["name": try await context.services.library.view(query, caller: page.caller).name])
    }

    private static let statePath = "/library/state"

    /// Returns a block and the blocks that follow it on the same page, for the page's script.
    private func blocks(_ page: AccountPage) async throws -> Response {
        guard let list = page.query["list"].flatMap({ PhotoList(rawValue: $0) }), let name = page.query["name"],
            let first = page.query["from"].flatMap({ Int($0) })
        else { throw ServiceError.invalidRequest("missing or invalid parameter: list, name or from") }
        let query = try LibraryQuery(list, { page.query[$0] }, context.vocabulary)
        let view = try await context.services.library.view(query, named: name, caller: page.caller)
        let grid = PhotoGrid(
            query: query, view: view, texts: page.browserRequest.texts, now: context.services.now())
        guard grid.blocks.blocks.indices.contains(first) else { throw ServiceError.notFound }
        let html = try await context.services.library.render(for: page.caller) {
            let shown = grid.blocks.page(from: first)
            let links = try await context.services.library.presignedURLs(
                grid.pictures(of: shown), caller: page.caller)
            return try context.pages.html(
                "library_blocks",
                ["blocks": grid.content(of: shown, links: links.urls), "t": page.browserRequest.texts.all])
        }
        var response = Response(
            status: .ok, headers: PagePolicy().headers, body: .init(byteBuffer: ByteBuffer(string: html)))
        response.permitKeeping(for: page, version: context.pages.version)
        return response
    }
}
