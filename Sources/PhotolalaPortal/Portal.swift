import DevelopmentIdentityProvider
import Hummingbird
import UseCases

/// Mounts all pages.
package struct Portal: Sendable {
    private let desk: PageContext
    private let publicURL: String
    private let bodyLimit: Int
    private let development: [DevelopmentProvider]

    /// - Parameters:
    ///   - publicURL: The server's URL, without a trailing slash.
    ///   - bodyLimit: The largest JSON body, in bytes.
    ///   - development: The development providers; only in `dev`.
    ///   - refusal: Returns the part of an error that a page may show.
    /// - Throws: If a template or the text catalog is malformed.
    package init(
        services: ServiceGraph, publicURL: String, bodyLimit: Int, development: [DevelopmentProvider],
        refusal: @escaping @Sendable (any Error) -> PortalError
    ) throws {
        desk = PageContext(
            services: services, pages: try Pages(), catalog: try TextCatalog(PackageResources.texts_json),
            refusal: refusal
        )
        self.publicURL = publicURL
        self.bodyLimit = bodyLimit
        self.development = development
    }

    /// Returns the error middleware. It must run before any middleware that can reject a page request.
    package func errors<Context: RequestContext>() -> PageErrors<Context> { PageErrors(desk: desk) }

    /// Returns whether a request has a session cookie, valid or not.
    package static func hasSessionCookie(_ request: Request) -> Bool { PortalCookies(request)[.session] != nil }

    package func mount<Context: RequestContext>(on router: Router<Context>) {
        desk.pages.mountAssets(on: router)
        for provider in development { DevelopmentSignIn(provider: provider, pages: desk.pages).mount(on: router) }
        let group = router.group().add(middleware: CanonicalLoopbackHost(publicURL))
        let prove = AppAuthenticationPage(desk: desk, publicURL: publicURL)
        let (account, rounds) = (AccountPages(desk: desk), ProviderAuthorizationPages(desk: desk, prove: prove))
        SignInPages(desk: desk).mount(on: group)
        rounds.mount(on: group)
        AuthorizePage(desk: desk, publicURL: publicURL).mount(on: group)
        prove.mount(on: group)
        DevicePage(desk: desk).mount(on: group)
        account.mount(on: group)
        let uploads = UploadEndpoints(desk: desk, bodyLimit: bodyLimit)
        let purge = PurgePages(desk: desk, account: account)
        LibraryPages(desk: desk, account: account, uploads: uploads, purge: purge).mount(on: group)
        PhotoPage(desk: desk, account: account, purge: purge).mount(on: group)
        purge.mount(on: group)
        uploads.mount(on: group)
        DevicesPage(desk: desk, account: account).mount(on: group)
        LinksPage(desk: desk, account: account, rounds: rounds).mount(on: group)
    }
}
