import HTTPTypes
import Hummingbird
import Localization
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// The dependencies that every page needs.
struct PageContext: Sendable {
    let services: ServiceGraph
    let pages: Pages
    let catalog: TextCatalog
    let vocabulary: SearchVocabulary
    /// Returns the part of an error that a page may show.
    let refusal: @Sendable (any Error) -> PortalError

    func title(of provider: ProviderName) -> String {
        services.providerAuthorizations.authorization(at: provider)?.displayName ?? provider.description.capitalized
    }

    /// Returns a page of one step in the visitor's language: a card without navigation.
    /// - Parameter form: The `id` of the page's form that also accepts another language; empty if there is none.
    func page(
        _ template: String, _ content: [String: any Sendable], _ browserRequest: BrowserRequest,
        keeping form: String = "", status: HTTPResponse.Status = .ok, policy: PagePolicy = .ownForms
    ) throws -> Response {
        var content = content
        add(browserRequest, to: &content)
        content["appearance"] = AppearancePage.content(browserRequest, keeping: form)
        let policy = checked(policy, browserRequest, &content)
        return try pages.page(template, content, status: status, policy: framable(policy, browserRequest))
    }

    /// Returns a page of a signed-in person, with the navigation and the account menu.
    /// - Parameters:
    ///   - section: The part of the navigation to which the page belongs; `nil` for an error.
    ///   - form: The `id` of the page's form that also accepts another theme or language; empty if there is none.
    func page(
        _ template: String, _ content: [String: any Sendable], _ page: AccountPage, section: Section?,
        keeping form: String = "", status: HTTPResponse.Status = .ok, policy: PagePolicy = .ownForms
    ) throws -> Response {
        var content = content
        let texts = page.browserRequest.texts
        add(page.browserRequest, to: &content)
        content["search"] =
            [
                "searched": content["searched"] ?? "", "searchIcon": Icon.search.html,
                "searchFields": content["searchFields"] ?? [[String: String]](),
                "suggestionIcons": Suggestion.icons, "owner": OfflinePages.owner(page),
            ] as [String: any Sendable]
        // Other pages only check the session: their search has no suggestions. Those lead away from a choice of photos.
        if content["module"] != nil, content["choice"] == nil {
            content["searchModule"] = pages.asset("suggestions.js")
        }
        addNavigation(to: &content, section, texts)
        var menu: [String: any Sendable] = [
            "personIcon": Icon.person.html, "pages": links(Section.account, section, texts),
            "formToken": page.formToken,
        ]
        menu["appearance"] = AppearancePage.content(page.browserRequest, keeping: form)
        menu["email"] = services.account.email(of: page.caller).map(AddressParts.content)
        menu["avatar"] = PicturePages.address(of: page, services)
        content["menu"] = menu
        if Section.account.contains(where: { $0 == section }) {
            content["hasTabs"] = true
            content["tabs"] = links(Section.account, section, texts)
        }
        if content["module"] != nil {
            content["hasQuestions"] = true
            content["closeIcon"] = Icon.close.html
        }
        // Only these pages have the script.
        if Section.library.contains(where: { $0 == section }), content["module"] != nil {
            content.merge(OfflinePages.bar(page)) { first, _ in first }
            content["offlineMode"] = OfflineMode(page.browserRequest.cookies).rawValue
        }
        let policy = checked(policy, page.browserRequest, &content)
        var response = try pages.page(
            template, content, status: status, policy: framable(policy, page.browserRequest))
        if let section, [.photos, .albums, .places, .favorites, .archive].contains(section) {
            response.permitKeeping(for: page, version: pages.version)
        }
        return response
    }

    func addNavigation(
        to content: inout [String: any Sendable], _ section: Section?, _ texts: LocalizedStrings
    ) {
        content["hasNav"] = true
        content["nav"] = links(Section.library, section, texts)
        content["rare"] =
            [
                "pages": links(Section.rare, section, texts), "isCurrent": Section.rare.contains { $0 == section },
                "icon": Icon.more.html,
            ] as [String: any Sendable]
    }

    private func links(
        _ sections: [Section], _ current: Section?, _ texts: LocalizedStrings
    ) -> [[String: any Sendable]] {
        sections.filter { $0 != .sharedLinks || services.sharing.isEnabled }.map { other in
            [
                "path": other.path, "title": texts.all[other.rawValue] ?? "", "current": other == current,
                "icon": other.icon?.html ?? "", "isRare": Section.rare.contains(other),
            ] as [String: any Sendable]
        }
    }

    /// Adds the name of the account to a page, and to one without a script that which checks the session. Returns the
    /// policy that permits it.
    private func checked(
        _ policy: PagePolicy, _ browserRequest: BrowserRequest, _ content: inout [String: any Sendable]
    ) -> PagePolicy {
        guard let account = browserRequest.account else { return policy }
        content["accountName"] = account
        guard content["module"] == nil, policy.script == nil else { return policy }
        content["checkModule"] = pages.asset("signed_in.js")
        var policy = policy
        policy.hasScripts = true
        return policy
    }

    private func framable(_ policy: PagePolicy, _ browserRequest: BrowserRequest) -> PagePolicy {
        var policy = policy
        policy.isFramable = FramablePages.contains(browserRequest.address)
        return policy
    }

    private func add(_ browserRequest: BrowserRequest, to content: inout [String: any Sendable]) {
        content["t"] = browserRequest.texts.all
        content["lang"] = browserRequest.texts.language
        content["theme"] = browserRequest.theme?.rawValue
        pages.addLinks(&content, browserRequest.texts)
    }

    /// Returns a page with a message and links to continue.
    /// - Parameter hasNavigation: Whether it has the navigation of a signed-in person without their account menu.
    func message(
        _ title: String, _ text: String, _ options: [(title: String, path: String)], _ browserRequest: BrowserRequest,
        status: HTTPResponse.Status, hasNavigation: Bool = false
    ) throws -> Response {
        var content = Self.message(title, text, options)
        if hasNavigation { addNavigation(to: &content, nil, browserRequest.texts) }
        return try page("message", content, browserRequest, status: status)
    }

    /// Returns a page with a message and links to continue, with the navigation of a signed-in person.
    func message(
        _ title: String, _ text: String, _ options: [(title: String, path: String)], _ page: AccountPage,
        status: HTTPResponse.Status
    ) throws -> Response {
        try self.page("message", Self.message(title, text, options), page, section: nil, status: status)
    }

    private static func message(
        _ title: String, _ text: String, _ options: [(title: String, path: String)]
    ) -> [String: any Sendable] {
        ["title": title, "text": text, "ways": options.map { ["title": $0.title, "path": $0.path] }]
    }

    /// Redirects to the re-authentication page.
    func redirectToReauthentication(to location: PageLocation) -> Response {
        redirect(to: Self.reauthenticationPath(to: location))
    }

    /// Returns the path of the re-authentication page, which continues to a place.
    static func reauthenticationPath(to location: PageLocation) -> String {
        "\(reauthenticationPath)?to=\(Form.escaped("\(location)"))"
    }

    static let reauthenticationPath = "/account/confirm"

    /// Redirects to another page with GET.
    func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
    }
}

/// The pages of a signed-in person in menu order. The raw values are text names.
enum Section: String, CaseIterable {
    case photos = "nav_library"
    case albums = "nav_albums"
    case places = "nav_places"
    case favorites = "nav_favorites"
    case archive = "nav_archive"
    case trash = "trash_title"
    case overview = "nav_account"
    case links = "nav_links"
    case devices = "nav_devices"
    case activity = "nav_activity"
    case sharedLinks = "shares_title"

    var path: String {
        switch self {
        case .photos: "/library"
        case .albums: AlbumPages.path
        case .places: PlacePages.path
        case .favorites: LibraryQuery.favoritesPath
        case .archive: LibraryQuery.archivePath
        case .trash: "/library/trash"
        case .overview: "/account"
        case .links: "/account/links"
        case .devices: "/account/devices"
        case .activity: "/account/activity"
        case .sharedLinks: SharedLinkPages.path
        }
    }

    /// The pages that the navigation shows.
    static let library: [Section] = [.photos, .albums, .places, .favorites, .sharedLinks, .archive, .trash]
    /// Those of them that phones show in a menu.
    static let rare: [Section] = [.sharedLinks, .archive, .trash]
    /// The pages about the account, which the account menu shows.
    static let account: [Section] = [.overview, .links, .devices, .activity]

    var icon: Icon? {
        switch self {
        case .photos: .photos
        case .albums: .album
        case .places: .place
        case .favorites: .favorite
        case .archive: .archive
        case .trash: .trash
        case .sharedLinks: .share
        case .overview, .links, .devices, .activity: nil
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
