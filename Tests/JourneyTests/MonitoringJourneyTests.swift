import Foundation
import NIOCore
import PhotolalaTesting
import Testing
import Transport

/// Debian's Prometheus scrapes the real server with the files of `deploy/monitoring`.
@Suite(.enabled("scripts/install-prometheus installs Prometheus") { Prometheus.isInstalled })
struct MonitoringJourneyTests {
    private static let files = Repository.root.appending(path: "deploy/monitoring")

    @Test("Prometheus accepts the metrics, and every query of the alarms and the dashboard")
    func scrape() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            let photos = folder.appendingPathComponent("photos")
            for each in [data, photos] {
                try FileManager.default.createDirectory(at: each, withIntermediateDirectories: true)
            }
            try PhotoFolder.make(3, in: photos)
            let address = "127.0.0.1:\(try freePort())"
            let server = try await ServerProcess(
                data: data, transport: transport, variables: ["PHOTOLALA_OPERATOR_LISTEN": address])
            defer { server.kill() }
            let phone = CommandLineDevice(profile: folder.appendingPathComponent("phone"), server: server.address)
            #expect(try await phone.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            #expect(try await phone.run("backup", photos.path).status == 0)
            #expect(try await phone.run("signin", "--provider", "google", "--dev-user", "eve").status != 0)
            // This listener has the metrics alone.
            #expect(try await Self.get("http://\(address)/users/me", transport).status == 404)
            #expect(try await Self.get("\(server.address)/metrics", transport).status == 404)

            let metrics = try await Self.get("http://\(address)/metrics", transport)
            #expect(metrics.status == 200)
            let file = folder.appendingPathComponent("metrics.txt")
            try metrics.body.write(to: file, atomically: true, encoding: .utf8)
            let lint = try await ChildProcess.run(
                URL(filePath: "/bin/sh"), ["-c", "\"$0\" check metrics < \"$1\"", Prometheus.tool.path, file.path])
            #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)")

            let prometheus = try await Prometheus(scraping: address, rules: Self.files, in: folder, transport)
            defer { prometheus.process.kill() }
            try await waitUntil("Prometheus scrapes the server", every: .milliseconds(250)) {
                try await prometheus.query("up").contains { $0 == 1 }
            }
            let queries = try Self.queries()
            #expect(queries.count >= 25)
            for query in queries { _ = try await prometheus.query(query) }
            let counts: [(String, Double)] = [
                (#"photolala_accounts_created_total{provider="apple"}"#, 1),
                (#"photolala_sign_ins_total{provider="google",outcome="unlinked"}"#, 1),
                (#"count(photolala_job_interval_seconds{exported_job="deletions"})"#, 1),
                (#"http_server_request_duration_seconds_count{route="/auth/signup",status=~"20."}"#, 1),
            ]
            for (query, value) in counts {
                let found = try await prometheus.query(query)
                #expect(found == [value], "\(query)")
            }
            for query in [
                #"photolala_store_request_seconds_count{operation="put",outcome="success"}"#,
                #"photolala_upload_bytes_total"#,
                #"photolala_s3_request_duration_seconds_count{method="PUT",status="200"}"#,
                #"sum(photolala_credentials_issued_total)"#, #"photolala_sts_request_seconds_count"#,
            ] { #expect(try await prometheus.query(query).contains { $0 > 0 }, "\(query)") }
            #expect(server.stop() == 0)
        }
    }

    @Test(
        "promtool accepts the rules, and their tests pass",
        arguments: [["check", "config", "prometheus.yml"], ["test", "rules", "rules-test.yml"]])
    func rules(arguments: [String]) async throws {
        let file = try #require(arguments.last)
        let checked = try await ChildProcess.run(
            Prometheus.tool, arguments.dropLast() + [Self.files.appending(path: file).path])
        #expect(checked.status == 0, "\(checked.output)")
    }

    private static func get(_ url: String, _ transport: any HTTPTransport) async throws -> (status: Int, body: String) {
        let response = try await transport.send(TransportRequest(method: .get, url: url, timeout: .seconds(60)))
        return (response.status, String(buffer: try await response.collect(limit: 4 << 20)))
    }

    /// Returns the queries of the dashboard and of the rules.
    private static func queries() throws -> [String] {
        struct Dashboard: Decodable {
            struct Panel: Decodable {
                struct Target: Decodable { let expr: String }
                let targets: [Target]
            }
            let panels: [Panel]
        }
        let dashboard = try JSONDecoder().decode(
            Dashboard.self, from: Data(contentsOf: files.appending(path: "dashboard.json")))
        return dashboard.panels.flatMap(\.targets).map {
            $0.expr.replacingOccurrences(of: "$__rate_interval", with: "1m")
        }
    }
}

/// A Prometheus process that scrapes one address every second.
struct Prometheus {
    private static let programs = Repository.root.appending(path: ".venv/prometheus/usr/bin")
    static let tool = programs.appending(path: "promtool")
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: tool.path) }

    let process: ChildProcess
    private let address: String
    private let transport: any HTTPTransport

    /// Starts with the shipped configuration, of which only the address and the interval are replaced.
    init(scraping target: String, rules: URL, in folder: URL, _ transport: any HTTPTransport) async throws {
        let configuration = try String(contentsOf: rules.appending(path: "prometheus.yml"), encoding: .utf8)
            .replacingOccurrences(of: "127.0.0.1:9464", with: target)
            .replacingOccurrences(of: "15s", with: "1s")
            .replacingOccurrences(of: "[rules.yml]", with: "[\(rules.appending(path: "rules.yml").path)]")
        let file = folder.appendingPathComponent("prometheus.yml")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        address = "127.0.0.1:\(try freePort())"
        self.transport = transport
        process = try ChildProcess(
            Self.programs.appending(path: "prometheus"),
            [
                "--config.file=\(file.path)", "--storage.tsdb.path=\(folder.path)/prometheus",
                "--web.listen-address=\(address)", "--log.level=error",
            ], environment: ["HOME": folder.path], output: .discarded)
    }

    /// Returns the values that a query gives now.
    /// - Throws: if Prometheus does not accept it.
    func query(_ text: String) async throws -> [Double] {
        struct Answer: Decodable {
            struct Content: Decodable {
                struct Series: Decodable {
                    let value: [Value]
                }
                let result: [Series]
            }
            enum Value: Decodable {
                case time(Double)
                case value(String)

                init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    if let time = try? container.decode(Double.self) {
                        self = .time(time)
                    } else {
                        self = .value(try container.decode(String.self))
                    }
                }
            }
            let status: String
            let data: Content
        }
        var url = try #require(URLComponents(string: "http://\(address)/api/v1/query"))
        url.queryItems = [URLQueryItem(name: "query", value: text)]
        url.percentEncodedQuery = url.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        guard
            let response = try? await transport.send(
                TransportRequest(method: .get, url: try #require(url.string), timeout: .seconds(60)))
        else { return [] }
        let body = try await response.collect(limit: 4 << 20)
        guard response.status == 200 else {
            if response.status == 503 { return [] }
            throw ConformanceFailure("\(text): \(String(buffer: body))")
        }
        return try JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView)).data.result.compactMap {
            guard case .value(let text)? = $0.value.last else { return nil }
            return Double(text)
        }
    }
}
