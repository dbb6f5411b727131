import DevelopmentIdentityProvider
import HTTPTypes
import HummingbirdTesting
import PhotolalaTesting
import Testing

/// A browser with cookies that visits a server's pages.
struct PortalVisitor {
    let http: HTTPExchange
    private(set) var cookies: [String: String] = [:]

    /// - Parameter cookies: The cookies of a browser that has visited another instance.
    init(_ http: HTTPExchange, cookies: [String: String] = [:]) { (self.http, self.cookies) = (http, cookies) }

    mutating func send(
        _ method: HTTPRequest.Method, _ path: String, json: String? = nil, headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        headers[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let response = try await http.send(method, path, json: json, headers: headers)
        for field in response.headers[values: .setCookie] {
            let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(pair[0])] = String(pair[1])
        }
        return response
    }

    /// Creates an account with Google.
    mutating func signUp(_ service: TestService, as person: String) async throws {
        let back = try await completeCallback(service, as: person, from: "/create-account")
        #expect(back.status == .seeOther && back.headers[.location] == "/library")
    }

    /// Signs in with Google.
    /// - Parameter page: The page with the provider links.
    /// - Returns: The response after the provider's callback.
    mutating func signIn(_ service: TestService, as person: String, from page: String) async throws -> TestResponse {
        try await completeCallback(service, as: person, from: page)
    }

    private mutating func completeCallback(
        _ service: TestService, as person: String, from path: String
    ) async throws -> TestResponse {
        let page = String(buffer: try await send(.get, path).body)
        let link = try #require(page.firstMatch(of: /href="(\/(?:create-account|sign-in)\/google\?[^"]+)"/)?.1)
        return try await follow(String(link), service, as: person)
    }

    /// Follows a page's link to Google and returns as a person.
    mutating func follow(_ link: String, _ service: TestService, as person: String) async throws -> TestResponse {
        let away = try await send(.get, link.replacing("&amp;", with: "&"))
        let query = try #require(away.headers[.location]?.split(separator: "?", maxSplits: 1).last)
        guard case .respond(let answer) = service.google.decide(form: "\(query)&person=\(person)".utf8) else {
            throw CancelledAtProvider()
        }
        let told = answer.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return try await send(.get, "/callback/google?\(told)")
    }

    private struct CancelledAtProvider: Error {}

    /// Returns the form token of the library page.
    mutating func formToken() async throws -> String {
        let page = String(buffer: try await send(.get, "/library").body)
        return String(try #require(page.firstMatch(of: /data-token="([^"]+)"/)?.1))
    }

    /// Returns the HTML of a page.
    mutating func page(_ path: String) async throws -> String {
        let response = try await send(.get, path)
        #expect(response.status == .ok, "\(path)")
        return String(buffer: response.body)
    }

    /// Sends a form.
    /// - Parameter token: The form's token; `nil` for the right one.
    mutating func post(_ path: String, _ fields: String, token: String? = nil) async throws -> TestResponse {
        let own = if let token { token } else { try await formToken() }
        return try await send(
            .post, path, json: "form_token=\(own)&\(fields)",
            headers: [.contentType: "application/x-www-form-urlencoded"])
    }

    /// Returns the first hex digit of the MD5 of each photo in a page's grid.
    static func shown(_ page: String) -> [Int] {
        page.matches(of: /<input type="checkbox" name="([0-9a-f])/).compactMap { Int($0.1, radix: 16) }
    }
}
