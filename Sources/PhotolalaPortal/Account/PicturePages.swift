import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import UseCases

/// The profile picture: the image that all pages of its owner show, and the form for it on the account page.
struct PicturePages: Sendable {
    let context: PageContext
    let account: AccountPages

    private static let path = "/account/picture"
    private static let removalPath = "/account/picture/remove"
    /// The form field with the bytes of the picture in Base64.
    private static let field = "picture"
    /// The part of the account page with the form.
    private static let place = "\(Section.overview.path)?saved=picture#picture"

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get(RouterPath(Self.path)) { request, _ in try await picture(request) }
        account.mountAction(Self.path, on: router) { page, form in
            guard let bytes = form[Self.field].flatMap({ Data(base64Encoded: $0) }) else {
                throw ServiceError.invalidRequest("no picture in the form")
            }
            _ = try await context.services.account.replacePicture(
                page.caller.user, with: ByteBuffer(bytes: bytes), if: .any, caller: page.caller)
            return context.redirect(to: Self.place)
        }
        account.mountAction(Self.removalPath, on: router, after: { page, _ in removalConfirmation(page) }) { page, _ in
            try await context.services.account.removePicture(page.caller.user, if: .any, caller: page.caller)
            return context.redirect(to: Self.place)
        }
    }

    /// Returns the address of the caller's picture, which changes with its bytes; `nil` if there is none. No request.
    static func address(of page: AccountPage, _ services: ServiceGraph) -> String? {
        services.account.pictureVersion(of: page.caller).map { "\(path)?v=\($0)" }
    }

    /// Returns the template content of the form.
    static func content(_ page: AccountPage) -> [String: any Sendable] {
        ["action": path, "removal": removalPath, "isPictureSaved": page.query["saved"] == "picture"]
    }

    private func picture(_ request: Request) async throws -> Response {
        let page = try await AccountPage(request, context)
        let account = context.services.account
        // The browser asks again after a while, or for an address of another version.
        if let version = account.pictureVersion(of: page.caller), request.headers[.ifNoneMatch] == "\"\(version)\"" {
            return Response(
                status: .notModified, headers: [.eTag: "\"\(version)\"", .cacheControl: caching(of: version, page)])
        }
        let picture = try await account.picture(page.caller.user, caller: page.caller)
        var headers = picture.headers
        headers[.cacheControl] = caching(of: picture.version, page)
        if let name = HTTPField.Name("Cross-Origin-Resource-Policy") { headers[name] = "same-origin" }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: picture.bytes))
    }

    /// Returns how long the browser keeps a picture: 30 days under the address of its version.
    private func caching(of version: String, _ page: AccountPage) -> String {
        page.query["v"] == version ? "private, max-age=2592000, immutable" : "private, no-cache"
    }

    private func removalConfirmation(_ page: AccountPage) -> ConfirmationPrompt {
        let texts = page.browserRequest.texts
        return ConfirmationPrompt(
            title: texts(.pictureRemoveQuestion), text: texts(.pictureRemoveText), button: texts(.pictureRemove),
            action: Self.removalPath, fields: [], back: Section.overview.path, section: .overview)
    }
}
