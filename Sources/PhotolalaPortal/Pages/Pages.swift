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
    /// - Throws: If a template is malformed, or a file is not compiled.
    package init(brand: ServiceBrand, adding others: [String: [UInt8]] = [:]) throws {
        self.brand = brand
        assets = try PageAssets(brand)
        library = MustacheLibrary(
            templates: try Self.parsed.get().merging(Self.parse(others), uniquingKeysWith: { own, _ in own }))
    }

    /// The portal's own templates. They are parsed once for each process.
    private static let parsed = Result { try parse(templates) }

    private static func parse(_ templates: [String: [UInt8]]) throws -> [String: MustacheTemplate] {
        _ = isEscapingKnown
        return try templates.mapValues { try MustacheTemplate(string: String(decoding: $0, as: UTF8.self)) }
    }

    /// All templates by name.
    static let templates = Dictionary(PortalFile.files(in: .templates).map { ($0.title, $0.bytes) }) { first, _ in first
    }

    /// Returns the path of an asset.
    func asset(_ name: String) -> String { assets.path(name) }

    /// The version of the static files.
    var version: String { assets.version }

    /// Returns the script that keeps pages for reading offline. It changes with the static files.
    /// - Parameter store: The origin of pictures.
    func serviceWorker(store: String) throws -> String { try assets.serviceWorker(store: store) }

    /// The script that says in place of account pages that there is no connection.
    var accountWorker: String { assets.accountWorker }

    package func mountAssets(on router: some RouterMethods) { assets.mount(on: router) }

    /// Adds the operator's links to a page's content.
    func addLinks(_ content: inout [String: any Sendable], _ texts: LocalizedStrings) {
        let links = [
            (brand.termsURL, TextName.terms), (brand.privacyURL, .privacy), (brand.supportURL, .support),
        ].compactMap { path, title in path.map { ["path": $0, "title": texts(title)] } }
        content["brandLinks"] = links
        content["plans"] = brand.plansURL
        content["support"] = brand.supportURL
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
