import Foundation
import HTTPTypes
import Hummingbird

/// Redirects requests for another loopback name to the server's own. Browsers keep cookies per host name, so a browser
/// that starts under another name would return from a provider without its cookies.
struct CanonicalLoopbackHost<Context: RequestContext>: RouterMiddleware {
    private static var names: [String] { ["127.0.0.1", "localhost", "[::1]"] }

    /// The server's own URL without a trailing slash, or `nil` if it is not a loopback address.
    private let own: (url: String, authority: String)?

    init(_ publicURL: String) {
        let authority = publicURL.drop { $0 != ":" }.dropFirst(3)
        own = Self.isLoopback(authority) ? (publicURL, String(authority)) : nil
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let own, request.method == .get, let requested = request.head.authority?.lowercased(),
            requested != own.authority,
            Self.isLoopback(requested[...]), Self.port(requested[...]) == Self.port(own.authority[...])
        else { return try await next(request, context) }
        return Response(
            status: .temporaryRedirect,
            headers: [.location: own.url + request.uri.string, .cacheControl: "no-store"])
    }

    private static func isLoopback(_ authority: Substring) -> Bool {
        names.contains { name in
            authority == name || authority.hasPrefix("\(name):") && UInt16(authority.dropFirst(name.count + 1)) != nil
        }
    }

    private static func port(_ authority: Substring) -> Substring? {
        names.first { authority.hasPrefix("\($0):") }.map { authority.dropFirst($0.count + 1) }
    }
}
