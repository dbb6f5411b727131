import Foundation
import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// The templates, read once, and the header fields that every page has.
package struct Pages: Sendable {
    private let library: MustacheLibrary

    /// - Throws: when a template is not well-formed.
    package init() throws {
        MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)
        var templates: [String: MustacheTemplate] = [:]
        for (name, text) in Self.texts {
            templates[name] = try MustacheTemplate(string: String(decoding: text, as: UTF8.self))
        }
        library = MustacheLibrary(templates: templates)
    }

    private static let texts = [
        "layout": PackageResources.layout_mustache,
        "development_sign_in": PackageResources.development_sign_in_mustache,
        "form_post": PackageResources.form_post_mustache,
        "refusal": PackageResources.refusal_mustache,
    ]

    /// Serves what pages load.
    func mountAssets(on router: some RouterMethods) {
        router.get("/assets/portal.css") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/css; charset=utf-8", .cacheControl: "max-age=3600"],
                body: .init(byteBuffer: ByteBuffer(bytes: PackageResources.portal_css)))
        }
    }

    /// A page from a template.
    /// - Parameters:
    ///   - content: what the template names; everything is escaped as HTML.
    ///   - policy: what the page may do beyond showing itself.
    func page(
        _ template: String, _ content: [String: any Sendable], status: HTTPResponse.Status = .ok,
        policy: PagePolicy = PagePolicy()
    ) throws -> Response {
        guard let html = library.render(content, withTemplate: template) else { throw HTTPError(.internalServerError) }
        return Response(status: status, headers: policy.headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    /// A page that says why something is not done.
    func refusal(_ heading: String, _ text: String, status: HTTPResponse.Status) throws -> Response {
        try page("refusal", ["heading": heading, "text": text], status: status)
    }
}
