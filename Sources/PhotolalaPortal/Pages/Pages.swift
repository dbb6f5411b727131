import Crypto
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
        for (name, text) in Self.templates {
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
        "confirm": PackageResources.confirm_mustache,
        "authorize": PackageResources.authorize_mustache, "device_code": PackageResources.device_code_mustache,
        "device_allow": PackageResources.device_allow_mustache,
        "development_sign_in": PackageResources.development_sign_in_mustache,
        "form_post": PackageResources.form_post_mustache,
    ]

    /// Its address changes with what is in it, so browsers may keep it for ever.
    private static let stylesheet: String = {
        let hash = SHA256.hash(data: PackageResources.portal_css).prefix(8)
        return "/assets/\(hash.map { String($0, radix: 16) }.joined())/portal.css"
    }()

    /// Serves what pages load.
    func mountAssets(on router: some RouterMethods) {
        router.get(RouterPath(Self.stylesheet)) { _, _ in
            Response(
                status: .ok,
                headers: [
                    .contentType: "text/css; charset=utf-8", .cacheControl: "public, max-age=31536000, immutable",
                ],
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
        var content = content
        content["stylesheet"] = Self.stylesheet
        guard let html = library.render(content, withTemplate: template) else { throw HTTPError(.internalServerError) }
        return Response(status: status, headers: policy.headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    /// A page of one message, in English.
    func message(_ title: String, _ text: String, status: HTTPResponse.Status) throws -> Response {
        try page("message", ["title": title, "text": text], status: status)
    }
}
