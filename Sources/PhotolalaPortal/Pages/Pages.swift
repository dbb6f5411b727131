import HTTPTypes
import Hummingbird
import Localization
import Mustache
import NIOCore
import UseCases

/// The parsed templates, and the header fields that every page has.
package struct Pages: Sendable {
    private let library: MustacheLibrary
    private let brand: ServiceBrand
    private let assets: PageAssets

    /// Mustache stores content types per process without a lock: ours is registered once, before anything is parsed.
    private static let isEscapingKnown: Void = MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)

    /// - Parameters:
    ///   - brand: What the pages show of the operator.
    ///   - others: Templates of another module by name, which may use the layout.
    /// - Throws: If a template is malformed.
    package init(brand: ServiceBrand, adding others: [String: [UInt8]] = [:]) throws {
        self.brand = brand
        assets = PageAssets(brand)
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
        "account_menu": PackageResources.account_menu_mustache, "links": PackageResources.links_mustache,
        "devices": PackageResources.devices_mustache,
        "pending": PackageResources.pending_mustache, "activity": PackageResources.activity_mustache,
        "provider_button": PackageResources.provider_button_mustache,
        "confirm": PackageResources.confirm_mustache, "purge": PackageResources.purge_mustache,
        "photo_picture": PackageResources.photo_picture_mustache,
        "view_fields": PackageResources.view_fields_mustache,
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
        "albums": PackageResources.albums_mustache, "album": PackageResources.album_mustache,
        "places": PackageResources.places_mustache, "album_choice": PackageResources.album_choice_mustache,
        "shared": PackageResources.shared_mustache,
        "shared_photo": PackageResources.shared_photo_mustache,
        "shared_password": PackageResources.shared_password_mustache,
        "offline": PackageResources.offline_mustache,
        "shared_link": PackageResources.shared_link_mustache, "shared_links": PackageResources.shared_links_mustache,
    ]

    /// Returns the path of an asset.
    func asset(_ name: String) -> String { assets.path(name) }

    /// The version of the static files.
    var version: String { assets.version }

    /// Returns the script that keeps pages for reading offline. It changes with the static files.
    /// - Parameter store: The origin of pictures.
    func serviceWorker(store: String) throws -> String { try assets.serviceWorker(store: store) }

    package func mountAssets(on router: some RouterMethods) { assets.mount(on: router) }

    /// Adds the operator's links to a page's content.
    func addLinks(_ content: inout [String: any Sendable], _ texts: LocalizedStrings) {
        let links = [
            (brand.termsURL, TextName.terms), (brand.privacyURL, .privacy), (brand.supportURL, .support),
        ].compactMap { path, title in path.map { ["path": $0, "title": texts(title)] } }
        content["brandLinks"] = links
        content["plans"] = brand.plansURL
        content["hasLinks"] = !links.isEmpty
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
        content["service"] = brand.name
        content["stylesheet"] = assets.path(PageAssets.stylesheet)
        content["themeColor"] = "\(brand.accent ?? .standard)"
        content["logo"] = assets.path(PageAssets.logo)
        content["logoType"] = assets.logoType
        if assets.hasTouchIcon { content["touchIcon"] = assets.path(PageAssets.touchIcon) }
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
