extension GoldenTopic {
    static func playAccountCommands(_ conversation: Conversation) async throws {
        let (laptop, server) = (try conversation.device("laptop"), try conversation.device("server"))
        try await laptop(signUp)
        let user = try await laptop.json("photolala whoami --json")["user"] as? [String: Any]
        let account = user?["serviceUserID"] ?? ""
        let unknown = "00000000-0000-4000-8000-000000000000"
        func run(_ commands: String...) async throws {
            for command in commands { try await server("photolala-server account \(command)") }
        }
        try await run(
            "show \(account)", "show --provider apple --subject dev-bob", "show \(account) --json",
            "show --provider apple --subject dev-eve", "show \(unknown)", "show", "show bob")
        conversation.comment("Bob has lost his laptop.")
        try await run(
            "end-sessions \(account)", "end-sessions bob --reason ticket-1",
            "end-sessions \(unknown) --reason ticket-1",
            "end-sessions \(account) --reason ticket-1")
        try await laptop("photolala whoami")
        conversation.comment("Bob asks in writing for everything stored about him.")
        try await run(
            "export \(account) --reason ticket-2", "export \(account) --reason ticket-2 --to bob.zip",
            "export \(account) --reason ticket-2 --to bob.zip",
            "export \(unknown) --reason ticket-2 --to other.zip",
            "export \(account) --reason ticket-2 --to missing/bob.zip")
        conversation.comment("He asks for the deletion of his account.")
        try await run(
            "undelete \(account) --reason ticket-2", "delete \(account) --reason ticket-2",
            "delete \(account) --reason ticket-2 --confirm \(unknown)",
            "delete \(account) --reason ticket-2 --confirm \(account)",
            "delete \(account) --reason ticket-2 --confirm \(account)")
        conversation.comment("A court orders that nothing is erased.")
        try await run("hold \(account) --reason order-3", "hold \(account) --reason order-3", "show \(account)")
        try await server("photolala-server deletions")
        try await run("release \(account) --reason order-4", "release \(account) --reason order-4")
        conversation.comment("Bob keeps his account.")
        try await run("undelete \(account) --reason ticket-5")
        try await laptop("photolala signin --provider apple --dev-user bob")
        try await laptop("photolala history")
        conversation.comment("Another person uses Bob's account: an operator disables it.")
        // The pending sign-in is shown after events of the same second.
        try await conversation.waitForNextSecond()
        try await run("disable \(account) --reason ticket-6", "disable \(account) --reason ticket-6")
        try await laptop("photolala list")
        try await laptop("photolala signin --provider apple --dev-user bob")
        try await laptop("photolala signup --provider apple --dev-user bob")
        try await run(
            "show \(account)", "delete \(account) --reason ticket-6 --confirm \(account)",
            "undelete \(account) --reason ticket-6", "enable \(account) --reason ticket-7",
            "enable \(account) --reason ticket-7")
        try await laptop("photolala list")
        try await laptop("photolala signin --provider apple --dev-user bob")
        try await laptop("photolala history --limit 5")
    }

    static func playOperatorCommands(_ conversation: Conversation) async throws {
        let (laptop, server) = (try conversation.device("laptop"), try conversation.device("server"))
        try await laptop(signUp)
        try await server("photolala-server operators list")
        try await server("photolala-server operators create alice --role root")
        try await server("photolala-server operators create alice+smith --role read")
        try await server("photolala-server operators create alice --role support --days 30")
        let key = try await server.json("photolala-server operators list --json")["key"] ?? ""
        try await server("photolala-server operators rotate \(key) --overlap-hours 0")
        try await server("photolala-server operators list")
        try await server("photolala-server operators end \(key)")
        try await server("photolala-server operators end 0123")
        try await server("photolala-server operators log")
        try await server("photolala-server operators log --day today")
        conversation.comment("The accounts, and what Bob stores.")
        let user = try await laptop.json("photolala whoami --json")["user"] as? [String: Any]
        let account = user?["serviceUserID"] ?? ""
        try await server("photolala-server account list")
        try await server("photolala-server account list --json")
        try await server("photolala-server account list --after \(account) --limit 5")
        try await server("photolala-server account count-usage \(account)")
        try await server("photolala-server account count-usage 00000000-0000-4000-8000-000000000000")
        try await server("photolala-server account show --email eve@example.com")
        conversation.comment("Bob's identity at Google opens a second account.")
        try await laptop("photolala signout")
        try await laptop("photolala signup --provider google --dev-user bob --device-name Laptop")
        try await server.lastLine("photolala-server operators create bertha --role support", to: "bertha.key")
        let request = "photolala-server account move-identity \(account) --provider google --key-file bertha.key"
        try await server("\(request) --subject dev-bob --reason ticket-8")
        try await laptop("photolala link --provider apple --dev-user bob-2")
        try await server("\(request) --subject dev-eve --reason ticket-8")
        try await server("\(request) --subject dev-bob --reason ticket-8")
        try await server("photolala-server account show \(account)")
        let arrival =
            try await server.json("photolala-server account show \(account) --json")["arrival"] as? [String: Any]
        let move = arrival?["move"] ?? ""
        try await server("photolala-server account complete-move \(account) --move no --key-file bertha.key --reason x")
        try await server(
            "photolala-server account complete-move \(account) --move \(move) --key-file bertha.key --reason ticket-8")
        try await server("photolala-server account cancel-move \(account) --key-file bertha.key --reason ticket-9")
        try await server("photolala-server account cancel-move \(account) --key-file none.key --reason ticket-9")
        conversation.comment("A job is started before its time.")
        try await server("photolala-server jobs start usage")
        try await server("photolala-server jobs start sweep")
    }
}
