import Foundation
import Hummingbird
import Localization
import PhotolalaAPI
import UseCases

/// The pages for sign-in methods: linking, unlinking and re-authentication.
struct LinksPage: Sendable {
    let context: PageContext
    let account: AccountPages
    let authorizations: ProviderAuthorizationPages

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.mountPage(Section.links.path, on: router) { try await list($0) }
        account.mountPage("/account/confirm", on: router) { try await confirm($0) }
        mountAuthorization("/account/link/{provider}", .link, on: router)
        mountAuthorization("/account/confirm/{provider}", .reauthenticate, on: router)
        account.mountAction("/account/unlink", on: router, after: { try await unlinkConfirmation($0, $1) }) {
            page, form in
            let id = try Self.link(form)
            do {
                _ = try await context.services.linking.unlink(UnlinkRequest(linkID: id), caller: page.caller)
            } catch ServiceError.notFound {
                // Already unlinked, which is the requested result.
            }
            return context.redirect(to: Section.links.path)
        }
        account.mountAction("/account/unlink/undo", on: router) { page, form in
            _ = try await context.services.linking.undoUnlink(try Self.link(form), caller: page.caller)
            return context.redirect(to: Section.links.path)
        }
        account.mountPage(PageLocation.pending.path, on: router) { try showPending($0) }
        account.mountAction("/account/link", on: router) { try await linkPending($0, $1) }
    }

    private static func link(_ form: Form) throws(ServiceError) -> LinkID {
        guard let id = form["link"].flatMap({ LinkID($0) }) else { throw .notFound }
        return id
    }

    private func unlinkConfirmation(_ page: AccountPage, _ form: Form) async throws -> ConfirmationPrompt {
        let (id, texts) = (try Self.link(form), page.browserRequest.texts)
        let links = try await context.services.account.linkedAccounts(page.caller).linkedProviders
        guard let link = links.first(where: { $0.linkID == id }) else { throw ServiceError.notFound }
        let provider = context.title(of: link.provider)
        let later: Date? =
            switch context.services.linking.unlinkOutcome(of: id, caller: page.caller) {
            case .delayed(let date)?: date
            case .unchanged?: link.unlinksAt
            case .immediate?, nil: nil
            }
        return ConfirmationPrompt(
            title: texts(.unlinkQuestion, [.provider: provider]),
            text: later.map { texts(.unlinkLaterWarning, [.provider: provider, .date: texts.time($0)]) }
                ?? texts(.unlinkWarning, [.provider: provider]),
            note: context.storageOutlasts(texts), button: texts(.unlink), action: "/account/unlink",
            fields: [("link", id.description)], back: Section.links.path, section: .links)
    }

    private func mountAuthorization<Context: RequestContext>(
        _ path: RouterPath, _ purpose: ChallengePurpose, on router: RouterGroup<Context>
    ) {
        router.get(path) { request, requestContext in
            let page = try await AccountPage(request, context)
            let provider = try ProviderAuthorizationPages.provider(requestContext.parameters)
            let location = purpose == .link ? .links : page.query["to"].flatMap { PageLocation($0) } ?? .account
            guard (try? authorizations.check(page.query, page.browser, page.caller)) != nil else {
                return purpose == .link
                    ? context.redirect(to: location.path) : context.redirectToReauthentication(to: location)
            }
            return context.redirect(
                to: try await context.services.providerAuthorizations.begin(
                    at: provider, for: purpose, in: page.browser, caller: page.caller, returnTo: location.description))
        }
    }

    private func list(_ page: AccountPage) async throws -> Response {
        async let storage = context.storageBar(page)
        let texts = page.browserRequest.texts
        let links = try await context.services.account.linkedAccounts(page.caller).linkedProviders
        let token = page.formToken
        let shown = links.map { link in
            var shown = show(link, texts)
            switch context.services.linking.unlinkOutcome(of: link.linkID, caller: page.caller) {
            case .immediate?, .delayed?: shown["canUnlink"] = true
            case .unchanged?, nil: shown["canUnlink"] = false
            }
            shown["isLast"] = links.count == 1 && link.state == .active
            // The only one is no choice.
            if link.isPrimary, links.count > 1 { shown["primary"] = texts(.linkPrimaryText) }
            return shown
        }
        let more = ProviderChoice.all(context.services, for: page.browserRequest).map { choice in
            choice.button(
                texts(
                    links.contains { $0.provider == choice.name } ? .linkAnother : .linkWith,
                    [.provider: choice.title]),
                path: "/account/link/\(choice.name)?\(Form.tokenField)=\(token)")
        }
        let content: [String: any Sendable] = [
            "links": shown, "more": more, "formToken": token, "storage": try await storage,
            "module": context.pages.asset("account.js"),
        ]
        return try context.page("links", content, page, section: .links, policy: .ownScripts)
    }

    /// Returns the facts about one link that do not depend on the other links.
    private func show(_ link: LinkedProvider, _ texts: LocalizedStrings) -> [String: any Sendable] {
        let title = context.title(of: link.provider)
        let facts = [
            texts.member(link.linkMethod.rawValue, of: .method),
            texts(.linkLinked, [.date: texts.day(link.linkedAt)]),
            link.lastUsedAt.map { texts(.linkLastUsed, [.date: texts.day($0)]) },
        ].compactMap { $0 }
        var shown: [String: any Sendable] = [
            "id": link.linkID.description, "provider": title,
            "facts": facts.joined(separator: " · "),
            "isRevoked": link.state == .revoked, "unlink": texts(.unlinkNamed, [.provider: title]),
            "undo": texts(.unlinkUndoNamed, [.provider: title]),
        ]
        let logo = ProviderLogo.html(of: link.provider)
        if !logo.isEmpty { shown["logo"] = logo }
        shown["email"] = link.email.map(AddressParts.content)
        if let notice = context.unlinkNotice(link, texts) { shown["pending"] = notice }
        return shown
    }

    /// Returns the page for re-authentication, shown before an act that requires recent authentication.
    private func confirm(_ page: AccountPage) async throws -> Response {
        let texts = page.browserRequest.texts
        let location = page.query["to"].flatMap { PageLocation($0) } ?? .account
        let linked = try await context.services.account.linkedAccounts(page.caller).linkedProviders
        let token = page.formToken
        let choices = ProviderChoice.all(context.services, for: page.browserRequest)
            .filter { choice in linked.contains { $0.provider == choice.name } }
            .map { choice in
                choice.button(
                    texts(.confirmWith, [.provider: choice.title]),
                    path:
                        "/account/confirm/\(choice.name)?to=\(Form.escaped("\(location)"))&\(Form.tokenField)=\(token)")
            }
        var content: [String: any Sendable] = [
            "title": texts(.confirmTitle), "text": texts(.confirmText), "ways": choices, "back": location.path,
            "backTitle": texts(.back),
        ]
        guard let section = location.accountSection else {
            return try context.page("confirm", content, page.browserRequest)
        }
        content["storage"] = try await context.storageBar(page)
        return try context.page("confirm", content, page, section: section)
    }

    /// Offers to link the pending identity from before the sign-in.
    private func showPending(_ page: AccountPage) throws -> Response {
        guard let pending = PendingCookie(page.browserRequest.cookies) else {
            return context.redirect(to: Section.overview.path)
        }
        let (texts, title) = (page.browserRequest.texts, context.title(of: pending.provider))
        var content: [String: any Sendable] = [
            "text": texts(.pendingLink, [.provider: title]), "button": texts(.linkWith, [.provider: title]),
            "mark": pending.identifier, "formToken": page.formToken,
        ]
        if let email = try context.services.browserSignIn.email(ofPending: pending.sealed, in: page.browser) {
            content["email"] = AddressParts.content(of: email)
        }
        return try context.page("pending", content, page.browserRequest)
    }

    /// Links the pending identity. A failed attempt also consumes it.
    private func linkPending(_ page: AccountPage, _ form: Form) async throws -> Response {
        let pending = try PendingCookie.selected(by: form, in: page.browserRequest)
        do {
            _ = try await context.services.linking.link(
                LinkRequest(pendingIdentity: pending.sealed), caller: page.caller)
        } catch ServiceError.providerAlreadyLinked {
            var response = try context.linkBlockedPage(pending.provider, page.browserRequest)
            response.removePending()
            return response
        }
        var response = context.redirect(to: (pending.location == .home ? PageLocation.links : pending.location).path)
        response.removePending()
        return response
    }
}

extension PageContext {
    /// Returns the text on when a link will be unlinked, or `nil` if no unlink is pending.
    func unlinkNotice(_ link: LinkedProvider, _ texts: LocalizedStrings) -> String? {
        link.unlinksAt.map {
            texts(.unlinkPending, [.provider: title(of: link.provider), .date: texts.time($0)])
        }
    }
}

extension PageContext {
    /// Returns the page that an identity belongs to another account, with what the person can do instead.
    func linkBlockedPage(_ provider: ProviderName, _ browserRequest: BrowserRequest) throws -> Response {
        let (texts, title) = (browserRequest.texts, title(of: provider))
        return try message(
            texts(.linkTakenTitle, [.provider: title]), texts(.linkTakenText, [.provider: title]),
            [(texts.all[Section.links.rawValue] ?? "", Section.links.path)], browserRequest, status: .conflict)
    }
}
