import Accounts
import Flows
import Hummingbird
import PhotolalaAPI

/// The pages for sign-in methods: linking, unlinking and re-authentication.
struct LinksPage: Sendable {
    let desk: Desk
    let account: AccountPages
    let rounds: ProviderRounds

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        account.show(Section.links.path, on: router) { try await list($0) }
        account.show("/account/confirm", on: router) { try await confirm($0) }
        begin("/account/link/{provider}", .link, on: router)
        begin("/account/confirm/{provider}", .reauthenticate, on: router)
        account.act("/account/unlink", on: router, after: { try await unlinking($0, $1) }) { page, form in
            let id = try Self.link(form)
            do {
                _ = try await desk.services.unlink(UnlinkRequest(linkID: id), caller: page.caller)
            } catch FlowError.notFound {
                // Already unlinked, which is the requested result.
            }
            return desk.redirect(to: Section.links.path)
        }
        account.act("/account/unlink/undo", on: router) { page, form in
            _ = try await desk.services.undoUnlink(try Self.link(form), caller: page.caller)
            return desk.redirect(to: Section.links.path)
        }
        account.show(Place.pending.path, on: router) { try offer($0) }
        account.act("/account/link", on: router) { try await linkPending($0, $1) }
    }

    private static func link(_ form: Form) throws(FlowError) -> LinkID {
        guard let id = form["link"].flatMap({ LinkID($0) }) else { throw .notFound }
        return id
    }

    private func unlinking(_ page: AccountPage, _ form: Form) async throws -> Question {
        let (id, texts) = (try Self.link(form), page.visit.texts)
        let links = try await desk.services.linkedAccounts(page.caller).linkedProviders
        guard let link = links.first(where: { $0.linkID == id }) else { throw FlowError.notFound }
        let provider = desk.title(of: link.provider)
        let later = desk.services.unlinkDate(of: id, caller: page.caller)
        return Question(
            title: texts(.unlinkQuestion, [.provider: provider]),
            text: later.map { texts(.unlinkLaterWarning, [.provider: provider, .date: texts.time($0)]) }
                ?? texts(.unlinkWarning, [.provider: provider]),
            note: desk.storageOutlasts(texts), button: texts(.unlink), action: "/account/unlink",
            fields: [("link", id.description)], back: Section.links.path)
    }

    private func begin<Context: RequestContext>(
        _ path: RouterPath, _ purpose: ChallengePurpose, on router: RouterGroup<Context>
    ) {
        router.get(path) { request, context in
            let page = try await AccountPage(request, desk)
            let provider = try ProviderRounds.provider(context.parameters)
            let place = purpose == .link ? .links : page.query["to"].flatMap { Place($0) } ?? .account
            guard (try? rounds.check(page.query, page.browser, page.caller)) != nil else {
                return purpose == .link ? desk.redirect(to: place.path) : desk.confirm(to: place)
            }
            return desk.redirect(
                to: try await desk.services.beginRound(
                    at: provider, for: purpose, in: page.browser, caller: page.caller, returnTo: place.description))
        }
    }

    private func list(_ page: AccountPage) async throws -> Response {
        let texts = page.visit.texts
        let links = try await desk.services.linkedAccounts(page.caller).linkedProviders
        let staying = links.count { $0.state == .active }
        let token = page.formToken
        let shown = links.map { link in
            var shown = show(link, texts)
            shown["canUnlink"] = link.unlinksAt == nil && (staying > 1 || link.state != .active)
            shown["isLast"] = links.count == 1 && link.state == .active
            return shown
        }
        let more = ProviderChoice.all(desk.services, for: page.visit).map { choice in
            [
                "title": texts(.linkWith, [.provider: choice.title]),
                "path": "/account/link/\(choice.name)?\(Form.tokenField)=\(token)",
            ]
        }
        let content: [String: any Sendable] = ["links": shown, "more": more, "formToken": token]
        return try desk.page("links", content, page.visit, section: .links)
    }

    /// Returns the facts about one link that do not depend on the other links.
    private func show(_ link: LinkedProvider, _ texts: Texts) -> [String: any Sendable] {
        let title = desk.title(of: link.provider)
        let facts = [
            texts.member(link.linkMethod.rawValue, of: .method),
            texts(.linkLinked, [.date: texts.day(link.linkedAt)]),
            link.lastUsedAt.map { texts(.linkLastUsed, [.date: texts.day($0)]) },
        ].compactMap { $0 }
        var shown: [String: any Sendable] = [
            "id": link.linkID.description, "provider": title,
            "facts": facts.joined(separator: " · "), "isPrimary": link.isPrimary,
            "isRevoked": link.state == .revoked, "unlink": texts(.unlinkNamed, [.provider: title]),
            "undo": texts(.unlinkUndoNamed, [.provider: title]),
        ]
        if let email = link.email { shown["email"] = email }
        if let notice = desk.unlinkNotice(link, texts) { shown["pending"] = notice }
        return shown
    }

    /// Returns the page for re-authentication, shown before an act that requires recent authentication.
    private func confirm(_ page: AccountPage) async throws -> Response {
        let texts = page.visit.texts
        let place = page.query["to"].flatMap { Place($0) } ?? .account
        let linked = try await desk.services.linkedAccounts(page.caller).linkedProviders
        let token = page.formToken
        let ways = ProviderChoice.all(desk.services, for: page.visit)
            .filter { choice in linked.contains { $0.provider == choice.name } }
            .map { choice in
                [
                    "title": texts(.confirmWith, [.provider: choice.title]),
                    "path":
                        "/account/confirm/\(choice.name)?to=\(Form.escaped("\(place)"))&\(Form.tokenField)=\(token)",
                ]
            }
        let content: [String: any Sendable] = [
            "title": texts(.confirmTitle), "text": texts(.confirmText), "ways": ways, "back": place.path,
            "backTitle": texts(.back),
        ]
        return try desk.page("confirm", content, page.visit)
    }

    /// Offers to link the pending identity from before the sign-in.
    private func offer(_ page: AccountPage) throws -> Response {
        guard let pending = PendingCookie(page.visit.cookies) else {
            return desk.redirect(to: Section.account.path)
        }
        let (texts, title) = (page.visit.texts, desk.title(of: pending.provider))
        var content: [String: any Sendable] = [
            "text": texts(.pendingLink, [.provider: title]), "button": texts(.linkWith, [.provider: title]),
            "mark": pending.mark, "formToken": page.formToken,
        ]
        if let email = try desk.services.email(ofPending: pending.sealed, in: page.browser) { content["email"] = email }
        return try desk.page("pending", content, page.visit)
    }

    /// Links the pending identity. A failed attempt also consumes it.
    private func linkPending(_ page: AccountPage, _ form: Form) async throws -> Response {
        let pending = try PendingCookie.named(by: form, in: page.visit)
        _ = try await desk.services.link(LinkRequest(pendingIdentity: pending.sealed), caller: page.caller)
        var response = desk.redirect(to: (pending.place == .account ? Place.links : pending.place).path)
        response.removePending()
        return response
    }
}

extension Desk {
    /// Returns the text on when a link will be unlinked, or `nil` if no unlink is pending.
    func unlinkNotice(_ link: LinkedProvider, _ texts: Texts) -> String? {
        link.unlinksAt.map {
            texts(.unlinkPending, [.provider: title(of: link.provider), .date: texts.time($0)])
        }
    }
}
