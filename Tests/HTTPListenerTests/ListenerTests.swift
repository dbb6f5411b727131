import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import HTTPListener

struct ListenerTests {
    @Test("a port in use is reported in a sentence with the setting that changes it")
    func taken() async throws {
        let other = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(other.localAddress?.port)
        let error = await error(host: "127.0.0.1", port: port)
        #expect(error?.reason == .addressInUse)
        #expect(
            error?.description == "127.0.0.1:\(port) is already in use. Choose another address with --listen")
        try await other.close()
    }

    @Test("an address of another machine is reported")
    func elsewhere() async {
        let error = await error(host: "192.0.2.1", port: 4711)
        #expect(error?.reason == .addressNotAvailable)
        #expect(error?.description.hasPrefix("192.0.2.1:4711 is not an address of this machine") == true)
    }

    private func error(host: String, port: Int) async -> ListenerError? {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = Application(
            responder: CallbackResponder { (_: Request, _: BasicRequestContext) in Response(status: .ok) },
            configuration: .init(address: .hostname(host, port: port)), logger: logger
        )
        do {
            try await Listener(server, at: "\(host):\(port)", setting: "--listen").run()
            return nil
        } catch {
            return error as? ListenerError
        }
    }

    @Test(
        "a request must name exactly one valid host",
        arguments: [
            ("h", [:], true), ("photos.example:8080", [:], true), ("[::1]:80", [:], true), (nil, [:], false),
            ("", [:], false), ("a b", [:], false), ("a/b", [:], false), ("user@h", [:], false),
            ("h", ["Host": "h"], false), ("h", ["host": "other"], false),
        ] as [(String?, [String: String], Bool)])
    func host(_ authority: String?, _ more: [String: String], _ isRight: Bool) throws {
        var fields = HTTPFields()
        for (name, value) in more { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        let request = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/", headerFields: fields)
        #expect(request.hasSingleHost == isRight)
    }

    @Test(
        "loopback and configured hosts are served on any port, and other hosts are not",
        arguments: [
            ("localhost", true), ("LOCALHOST:8080", true), ("a.localhost:1", true), ("127.0.0.1:9000", true),
            ("127.8.8.8", true), ("[::1]:8080", true), ("[0:0:0:0:0:0:0:1]", true), ("::1", true),
            ("photos.example", true), ("Photos.Example.:443", true), ("[fd00::1]:9000", true),
            ("attacker.example:8080", false), ("127.0.0.1.attacker.example", false), ("notlocalhost", false),
            ("localhost.attacker.example", false), ("photos.example.attacker.example", false), ("10.0.0.1", false),
            ("[::2]", false), ("127.attacker.example", false), ("", false), (":80", false),
            ("[::1].attacker.example", false), ("[::1]:80.attacker.example", false),
            ("127.0.0.1:80.attacker.example", false),
        ])
    func servedHosts(_ authority: String, _ isServed: Bool) {
        let hosts = AllowedHosts.loopback(and: ["https://photos.example/base", "http://[fd00::1]:9000"])
        #expect(hosts.contains(authority) == isServed)
        #expect(AllowedHosts.any.contains(authority))
    }
}
