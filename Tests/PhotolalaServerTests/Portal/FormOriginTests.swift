import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// Forms that browsers mark as sent by a page of another origin.
@Suite struct FormOriginTests {
    /// Sends a form with the right token and these fields.
    private func send(_ fields: [String: String], expecting status: HTTPResponse.Status) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
            let token = try await bob.formToken()
            let response = try await bob.send(
                .post, "/library/albums", json: "form_token=\(token)&name=Rome", headers: headers)
            #expect(response.status == status)
        }
    }

    @Test(
        "a form of another origin is refused, also with the right token",
        arguments: [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"],
            ["Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"],
            ["Origin": "null", "Sec-Fetch-Site": "cross-site"], ["Origin": "file://"],
        ])
    func foreign(_ fields: [String: String]) async throws {
        try await send(fields, expecting: .forbidden)
    }

    @Test(
        "a form of our own origin, and of a browser that does not state the origin, is accepted",
        arguments: [
            [:], ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"], ["Origin": "null"],
            ["Origin": "null", "Sec-Fetch-Site": "same-origin"],
        ])
    func own(_ fields: [String: String]) async throws {
        try await send(fields, expecting: .seeOther)
    }

    @Test("a provider's answer comes from the origin of the provider")
    func callback() async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            let answer = try await http.send(
                .post, "/callback/google", json: "state=x",
                headers: [.contentType: "application/x-www-form-urlencoded", .origin: "https://google.example"])
            #expect(answer.status != .forbidden)
        }
    }
}
