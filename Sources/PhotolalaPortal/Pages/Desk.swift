import Flows
import HTTPTypes
import Hummingbird
import PhotolalaAPI

/// What every page of the portal is made with.
struct Desk: Sendable {
    let services: Services
    let pages: Pages
    let catalog: TextCatalog
    /// What of an error may be shown.
    let refusal: @Sendable (any Error) -> PortalRefusal

    func title(of provider: ProviderName) -> String {
        services.authorizations.first { $0.provider == provider }?.displayName ?? provider.description.capitalized
    }

    /// A page in the visitor's language.
    func page(
        _ template: String, _ content: [String: any Sendable], _ visit: Visit, status: HTTPResponse.Status = .ok,
        section: Section? = nil, policy: PagePolicy = PagePolicy(formActions: ["'self'"])
    ) throws -> Response {
        var content = content
        content["t"] = visit.texts.all
        content["lang"] = visit.texts.language
        if let section {
            content["hasNav"] = true
            content["nav"] = Section.allCases.map { other in
                ["path": other.path, "title": visit.texts.all[other.rawValue] ?? "", "current": other == section]
                    as [String: any Sendable]
            }
        }
        return try pages.page(template, content, status: status, policy: policy)
    }

    /// A page with one message and the ways on from there.
    func message(
        _ title: String, _ text: String, _ ways: [(title: String, path: String)], _ visit: Visit,
        status: HTTPResponse.Status
    ) throws -> Response {
        let ways = ways.map { ["title": $0.title, "path": $0.path] }
        return try page("message", ["title": title, "text": text, "ways": ways], visit, status: status)
    }

    /// Goes on to where one proves once more who one is.
    func confirm(to place: Place) -> Response { redirect(to: Self.confirmPath(to: place)) }

    /// The page where an identity is proved again, which leads on to a place.
    static func confirmPath(to place: Place) -> String { "/account/confirm?to=\(Form.escaped("\(place)"))" }

    /// Goes on to another page with GET.
    func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
    }
}

/// The pages of a signed-in person, in the order of their menu; each named by its text.
enum Section: String, CaseIterable {
    case library = "nav_library"
    case account = "nav_account"
    case links = "nav_links"
    case devices = "nav_devices"
    case activity = "nav_activity"

    var path: String {
        switch self {
        case .library: "/library"
        case .account: "/account"
        case .links: "/account/links"
        case .devices: "/account/devices"
        case .activity: "/account/activity"
        }
    }
}

/// What a page may tell of an error.
package struct PortalRefusal: Sendable {
    package let status: HTTPResponse.Status
    package let code: ErrorCode
    /// Seconds.
    package let retryAfter: Int?
    /// For the log.
    package let reason: String?

    package init(status: HTTPResponse.Status, code: ErrorCode, retryAfter: Int?, reason: String?) {
        self.status = status
        self.code = code
        self.retryAfter = retryAfter
        self.reason = reason
    }
}
