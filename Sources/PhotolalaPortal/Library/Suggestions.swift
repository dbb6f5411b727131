import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import UseCases

/// The list from which the script of the search box suggests pages, and the links of a search that finds nothing.
struct Suggestions: Sendable {
    private static let path = "/library/suggestions"
    /// The largest number of links of a search that finds nothing.
    private static let mostProposals = 5

    let context: PageContext

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get(RouterPath(Self.path)) { request, _ in
            let page = try await AccountPage(request, context)
            return Self.response(try await json(page), isKnown: { request.headers[.ifNoneMatch] == $0 })
        }
    }

    private func all(_ page: AccountPage) async throws -> [Suggestion] {
        let names = try await context.services.library.names(page.caller)
        return try Suggestion.all(names, page.browserRequest.texts, context.vocabulary)
    }

    private func json(_ page: AccountPage) async throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(try await all(page))
    }

    /// Returns the list, which the browser keeps and asks for again each time: it depends on account and language.
    private static func response(_ list: Data, isKnown: (String) -> Bool) -> Response {
        let hash = SHA256.hash(data: list).prefix(16).map { String(format: "%02x", $0) }.joined()
        let tag = "\"\(hash)\""
        var headers: HTTPFields = [.eTag: tag, .cacheControl: "private, no-cache", .xContentTypeOptions: "nosniff"]
        if isKnown(tag) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = "application/json"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(data: list)))
    }

    /// Returns the pages whose names a search has that finds nothing.
    func proposals(for query: LibraryQuery, _ page: AccountPage) async throws -> [[String: String]] {
        let (words, own, texts) = (Suggestion.words(query.text), query.path(), page.browserRequest.texts)
        let named = try await all(page).filter { $0.path != own && $0.isNamed(in: words) }
        return named.prefix(Self.mostProposals).map { suggestion in
            let area = [suggestion.detail].compactMap { $0 }
            var content = ["name": texts.place([suggestion.name] + area), "path": suggestion.path]
            content["icon"] = Icon(rawValue: suggestion.icon)?.html
            content["detail"] = suggestion.kind
            return content
        }
    }
}
