import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// The frame of the account's pages: the search, the rail with the storage bar, and the tabs.
@Suite struct AccountFrameTests {
    /// Returns the title of the current tab; `nil` if the page lacks a part of the frame.
    private static func tab(_ page: String) -> String? {
        guard page.contains(#"<form class="search" role="search" action="/library""#),
            page.contains(#"<div class="storage">"#), page.contains(#"<li><a href="/library/albums" title="Albums">"#)
        else { return nil }
        let tabs = page.firstMatch(of: /<nav class="tabs"(?s:.)*?<\/nav>/)?.0
        return tabs?.firstMatch(of: /aria-current="page">([^<]+)</).map { String($0.1) }
    }

    @Test(
        "a page of the account has the search, the storage bar and the tabs",
        arguments: [
            ("/account", "Account"), ("/account/links", "Sign-in methods"), ("/account/devices", "Devices"),
            ("/account/activity", "Activity"), ("/account/data", "Account"),
            ("/account/delete", "Account"), ("/account/confirm", "Account"),
            ("/account/confirm?to=links", "Sign-in methods"),
            ("/account/confirm?to=%2Faccount%2Fdata", "Account"),
            ("/account/confirm?to=%2Faccount%3Fmail-language%3Dko%23mail", "Account"),
        ])
    func pages(_ path: String, _ tab: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            #expect(Self.tab(try await bob.page(path)) == tab)
        }
    }

    @Test("shared links are a page of the library's navigation")
    func sharedLinks() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.page("/library/shared")
            #expect(
                page.contains(#"<a href="/library/shared" title="Shared links" aria-current="page">"#)
                    && Self.tab(page) == nil)
            #expect(try await bob.page("/library").contains(#"<a href="/library/shared" title="Shared links">"#))
        }
    }

    @Test(
        "a question about the account keeps its tabs",
        arguments: [
            ("/account/sign-out-everywhere", "/account/devices", "Devices"),
            ("/account/devices/remove", "/account/devices", "Devices"),
            ("/account/picture/remove", "/account", "Account"),
        ])
    func questions(_ path: String, _ list: String, _ tab: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let item = try await bob.page(list).firstMatch(of: /name="device" value="([^"]+)"/)
            let id: String = item.map { "device=\($0.1)" } ?? "version=1"
            let question = try await bob.post(path, id)
            #expect(question.status == .ok && Self.tab(String(buffer: question.body)) == tab)
        }
    }

    @Test("an error keeps the navigation of a signed-in person, and has none for others")
    func errors() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let html: HTTPFields = [.accept: "text/html"]
            let missing = try await bob.send(.get, "/nothing/here", headers: html)
            let refused = try await bob.post("/account/profile", "name=x", token: "x")
            for (response, status) in [(missing, HTTPResponse.Status.notFound), (refused, .forbidden)] {
                let page = String(buffer: response.body)
                #expect(response.status == status && page.contains(#"<nav class="rail""#) && page.contains("Sign out"))
                #expect(!page.contains(#"<nav class="tabs""#) && !page.contains(#"aria-current="page""#))
            }
            let visitor = try await http.send(.get, "/nothing/here", headers: html)
            #expect(String(buffer: visitor.body).contains(#"<body class="plain">"#))
        }
    }

    @Test("the account page starts with the person, and a device says the zone of its time")
    func order() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.page("/account")
            let headings = page.matches(of: /<h2[^>]*>([^<]+)<\/h2>/).map { String($0.1) }
            #expect(headings.prefix(2) == ["Profile", "Storage"])
            #expect(page.contains(#"<bdi class="facts">bob<wbr>@photolala<wbr>.example<wbr></bdi>"#))
            #expect(try await bob.page("/account/devices").contains(/Added <time datetime="[^"]+">[^<]+UTC</))
        }
    }

    @Test(
        "a confirmation for the library or an app is a card without navigation",
        arguments: ["library", "%2Flibrary%2Ftrash", "device", "authorize?client_id=photolala"])
    func cards(_ location: String) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let page = try await bob.page("/account/confirm?to=\(location)")
            #expect(page.contains(#"<body class="plain">"#) && !page.contains(#"<nav class="rail""#))
        }
    }
}
