import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// The parsed templates, and the header fields that every page has.
package struct Pages: Sendable {
    private let library: MustacheLibrary

    /// Mustache stores content types per process without a lock: ours is registered once, before anything is parsed.
    private static let isEscapingKnown: Void = MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)

    /// - Parameter others: templates of another module by name, which may use the layout.
    /// - Throws: If a template is malformed.
    package init(adding others: [String: [UInt8]] = [:]) throws {
        _ = Self.isEscapingKnown
        var templates: [String: MustacheTemplate] = [:]
        for (name, text) in Self.templates.merging(others, uniquingKeysWith: { own, _ in own }) {
            templates[name] = try MustacheTemplate(string: String(decoding: text, as: UTF8.self))
        }
        library = MustacheLibrary(templates: templates)
    }

    static let templates = [
        "layout": PackageResources.layout_mustache, "message": PackageResources.message_mustache,
        "welcome": PackageResources.welcome_mustache, "provider_choice": PackageResources.provider_choice_mustache,
        "no_account": PackageResources.no_account_mustache, "account": PackageResources.account_mustache,
        "links": PackageResources.links_mustache, "devices": PackageResources.devices_mustache,
        "pending": PackageResources.pending_mustache, "activity": PackageResources.activity_mustache,
        "confirm": PackageResources.confirm_mustache, "purge": PackageResources.purge_mustache,
        "photo_picture": PackageResources.photo_picture_mustache,
        "question": PackageResources.question_mustache,
        "delete_account": PackageResources.delete_account_mustache,
        "deletion_scheduled": PackageResources.deletion_scheduled_mustache,
        "deletion": PackageResources.deletion_mustache, "export": PackageResources.export_mustache,
        "authorize": PackageResources.authorize_mustache, "device_code": PackageResources.device_code_mustache,
        "device_allow": PackageResources.device_allow_mustache,
        "development_sign_in": PackageResources.development_sign_in_mustache,
        "form_post": PackageResources.form_post_mustache, "library": PackageResources.library_mustache,
        "library_blocks": PackageResources.library_blocks_mustache, "photo": PackageResources.photo_mustache,
        "archive_options": PackageResources.archive_options_mustache, "recall": PackageResources.recall_mustache,
    ]

    /// Static assets. An asset's path changes with its content, so browsers may cache it without limit.
    private static let assets: [(name: String, type: String, bytes: [UInt8])] = [
        ("portal.css", "text/css", PackageResources.portal_css),
        ("library.js", "text/javascript", PackageResources.library_js),
        ("grid.js", "text/javascript", PackageResources.grid_js),
        ("upload.js", "text/javascript", PackageResources.upload_js),
        ("signed_put.js", "text/javascript", PackageResources.signed_put_js),
        ("dropped_files.js", "text/javascript", PackageResources.dropped_files_js),
        ("photo_reader.js", "text/javascript", PackageResources.photo_reader_js),
        ("photo_worker.js", "text/javascript", PackageResources.photo_worker_js),
        ("md5.js", "text/javascript", PackageResources.md5_js),
    ]

    private static let folder: String = {
        var hasher = SHA256()
        for asset in assets { hasher.update(data: asset.bytes) }
        return "/assets/\(hasher.finalize().prefix(8).map { String($0, radix: 16) }.joined())"
    }()

    /// Returns the path of an asset.
    static func asset(_ name: String) -> String { "\(folder)/\(name)" }

    package func mountAssets(on router: some RouterMethods) {
        for asset in Self.assets {
            let (type, bytes) = (asset.type, ByteBuffer(bytes: asset.bytes))
            router.get(RouterPath(Self.asset(asset.name))) { _, _ in
                // A worker uses the policy of its own script's response.
                Response(
                    status: .ok,
                    headers: [
                        .contentType: "\(type); charset=utf-8", .xContentTypeOptions: "nosniff",
                        .cacheControl: "public, max-age=31536000, immutable",
                        .contentSecurityPolicy: "default-src 'none'; script-src 'self'",
                    ],
                    body: .init(byteBuffer: bytes))
            }
        }
    }

    /// Renders a page from a template.
    /// - Parameters:
    ///   - content: The values for the template. All are escaped as HTML.
    ///   - policy: What the page may do besides displaying itself.
    package func page(
        _ template: String, _ content: [String: any Sendable], status: HTTPResponse.Status = .ok,
        policy: PagePolicy = PagePolicy()
    ) throws -> Response {
        var content = content
        content["stylesheet"] = Self.asset("portal.css")
        let html = try html(template, content)
        return Response(status: status, headers: policy.headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    /// Renders a fragment of a page from a template.
    func html(_ template: String, _ content: [String: any Sendable]) throws -> String {
        guard let html = library.render(content, withTemplate: template) else { throw HTTPError(.internalServerError) }
        return html
    }

    /// Returns a page with one message in English.
    func message(_ title: String, _ text: String, status: HTTPResponse.Status) throws -> Response {
        try page("message", ["title": title, "text": text], status: status)
    }
}
