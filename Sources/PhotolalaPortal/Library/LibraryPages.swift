import Flows
import HTTPTypes
import Hummingbird
import IdentityProviders
import NIOCore
import PhotoLibrary
import PhotolalaAPI

/// A person's photos by date, and those in the trash.
struct LibraryPages: Sendable {
    let desk: Desk
    let account: AccountPages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        for list in [PhotoList.photos, .trash] {
            account.show(list.path, on: router) { try await show(list, $0) }
        }
        account.show("/library/block", on: router) { try await block($0) }
        account.act(PhotoList.photos.act, on: router) { page, form in
            let summary = try await desk.services.putIntoTrash(Self.photos(form), caller: page.caller)
            return desk.redirect(to: Self.back(to: .photos, form, done: summary.files))
        }
        account.act(PhotoList.trash.act, on: router) { page, form in
            let summary = try await desk.services.takeOutOfTrash(Self.photos(form), caller: page.caller)
            return desk.redirect(to: Self.back(to: .trash, form, done: summary.files))
        }
    }

    /// The photos that a form names: each is a field of its own.
    private static func photos(_ form: Form) -> Set<ContentDigest> { Set(form.names.compactMap { ContentDigest($0) }) }

    private static func back(to list: PhotoList, _ form: Form, done: Int) -> String {
        let block = form["from"].flatMap { UInt32($0) } ?? 0
        return "\(list.path)?from=\(block)&done=\(done)"
    }

    private func show(_ list: PhotoList, _ page: AccountPage) async throws -> Response {
        let library = try await desk.services.library(page.caller)
        let timeline = list.timeline(of: library)
        let blocks = TimelineBlocks(timeline)
        let shown = blocks.page(from: page.query["from"].flatMap { Int($0) } ?? 0)
        let texts = page.visit.texts
        let grid = PhotoGrid(list: list, timeline: timeline, blocks: blocks, texts: texts)
        let links = try await desk.services.link(grid.thumbnails(of: shown), caller: page.caller)
        var content: [String: any Sendable] = [
            "months": grid.months(of: shown, links: links.urls), "list": list.rawValue, "name": library.name,
            "overview": try grid.overview(), "jumps": grid.jumps(), "from": String(shown.lowerBound),
            "action": list.act, "formToken": page.formToken, "isTrash": list == .trash,
            "isEmpty": timeline.photos.isEmpty, "module": Pages.asset("library.js"),
            "chosen": texts(.chosen), "tooMany": texts(.chosenTooMany),
            "uploadTexts": try ScriptValue.json(texts.family(.upload)),
        ]
        if shown.lowerBound > 0 { content["newer"] = "\(list.path)?from=\(blocks.start(before: shown.lowerBound))" }
        if shown.upperBound < blocks.blocks.count { content["older"] = "\(list.path)?from=\(shown.upperBound)" }
        if let done = page.query["done"].flatMap({ Int($0) }), done >= 0 {
            content["done"] = texts(list == .photos ? .trashed : .restored, [.count: String(done)])
        }
        return try desk.page(
            "library", content, page.visit, section: .library,
            policy: PagePolicy(formActions: ["'self'"], store: links.origin, hasScripts: true))
    }

    /// One block, for the page's script.
    private func block(_ page: AccountPage) async throws -> Response {
        guard let list = page.query["list"].flatMap({ PhotoList(rawValue: $0) }), let name = page.query["name"],
            let number = page.query["number"].flatMap({ Int($0) })
        else { throw FlowError.invalidRequest("a block is asked for by list, name and number") }
        let library = try await desk.services.library(page.caller, named: name)
        let timeline = list.timeline(of: library)
        let blocks = TimelineBlocks(timeline)
        guard blocks.blocks.indices.contains(number) else { throw FlowError.notFound }
        let grid = PhotoGrid(list: list, timeline: timeline, blocks: blocks, texts: page.visit.texts)
        let links = try await desk.services.link(grid.thumbnails(of: number..<number + 1), caller: page.caller)
        var urls = links.urls[...]
        let html = try desk.pages.html(
            "library_block", ["photos": grid.photos(of: number, links: &urls), "t": page.visit.texts.all])
        return Response(
            status: .ok, headers: PagePolicy().headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }
}
