import HTTPTypes
import Hummingbird
import Localization
import PhotolalaAPI
import UseCases

/// The dependencies that every page needs.
struct PageContext: Sendable {
    let services: ServiceGraph
    let pages: Pages
    let catalog: TextCatalog
    /// Returns the part of an error that a page may show.
    let refusal: @Sendable (any Error) -> PortalError

    func title(of provider: ProviderName) -> String {
        services.providerAuthorizations.authorization(at: provider)?.displayName ?? provider.description.capitalized
    }

    /// Returns a page in the visitor's language.
    func page(
        _ template: String, _ content: [String: any Sendable], _ browserRequest: BrowserRequest,
        status: HTTPResponse.Status = .ok,
        section: Section? = nil, policy: PagePolicy = .ownForms
    ) throws -> Response {
        var content = content
        content["t"] = browserRequest.texts.all
        content["lang"] = browserRequest.texts.language
        if let section {
            content["hasNav"] = true
            content["nav"] = Section.allCases.map { other in
                [
                    "path": other.path, "title": browserRequest.texts.all[other.rawValue] ?? "",
                    "current": other == section,
                ]
                    as [String: any Sendable]
            }
        }
        return try pages.page(template, content, status: status, policy: policy)
    }

    /// Returns a page with a message and links to continue.
    func message(
        _ title: String, _ text: String, _ options: [(title: String, path: String)], _ browserRequest: BrowserRequest,
        status: HTTPResponse.Status
    ) throws -> Response {
        let options = options.map { ["title": $0.title, "path": $0.path] }
        return try page("message", ["title": title, "text": text, "ways": options], browserRequest, status: status)
    }

    /// Redirects to the re-authentication page.
    func redirectToReauthentication(to location: PageLocation) -> Response {
        redirect(to: Self.reauthenticationPath(to: location))
    }

    /// Returns the path of the re-authentication page, which continues to a place.
    static func reauthenticationPath(to location: PageLocation) -> String {
        "/account/confirm?to=\(Form.escaped("\(location)"))"
    }

    /// Redirects to another page with GET.
    func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
    }
}

/// The pages of a signed-in person in menu order. The raw values are text names.
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

/// The part of an error that a page may show.
package struct PortalError: Sendable {
    package let status: HTTPResponse.Status
    package let code: ErrorCode
    /// In seconds.
    package let retryAfter: Int?
    /// The cause, for the log only.
    package let reason: String?

    package init(status: HTTPResponse.Status, code: ErrorCode, retryAfter: Int?, reason: String?) {
        self.status = status
        self.code = code
        self.retryAfter = retryAfter
        self.reason = reason
    }
}
