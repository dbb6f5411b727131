extension GoldenTopic {
    static func playErrors(_ conversation: Conversation) async throws {
        let laptop = try conversation.device("laptop")
        conversation.comment("Not signed in.")
        for command in [
            "list", "status", "restore --to Restored", "link --provider google --dev-user bob", "list --json",
        ] {
            try await laptop("photolala \(command)")
        }
        conversation.comment("Wrong usage.")
        let wrong = [
            "lst", "archive IMG_1.jpg", "trash retore", "album Rome", "share Rome", "--json list",
            "--bad", "backup", "restore", "list --since yesterday", "list --larger huge",
            "list --json --sort name",
            "verify --sample none", "recall --days 366", "preferences set theme", "devices remove phone",
            "sync Pictures --watch --every 0",
            "signin --provider apple", "signin --dev-user bob", "whoami --server nowhere",
            "whoami --server http://photos.example", "refresh-dates --zone Mars/Base", "trash restore",
            "trash restore --id 03bb",
        ]
        for command in wrong { try await laptop("photolala \(command)") }
        try await laptop("photolala signup --provider twitter --dev-user bob")
        try await laptop(signUp)
        conversation.comment("Missing folders and photos.")
        try laptop.addPhoto("Pictures/IMG_1.jpg", day: 1)
        try laptop.addPhoto("Pictures/Summer/IMG_2.jpg", day: 2)
        let missing = [
            "backup Nowhere", "backup Nowhere --json", "status Nowhere", "sync Nowhere", "local scan Nowhere",
            "migrate Nowhere --yes", "list IMG_1.jpg", "backup Pictures --no-thumbnails", "list IMG_9.jpg",
            "list summer", "restore --to Restored 2029", "restore --to Pictures/IMG_1.jpg",
            "backup Pictures/IMG_1.jpg --no-thumbnails",
            "verify IMG_9.jpg", "recall IMG_9.jpg",
            "trash put IMG_9.jpg --yes", "trash restore IMG_9.jpg",
        ]
        for command in missing { try await laptop("photolala \(command)") }
        conversation.comment("The server is stopped.")
        conversation.stopServer()
        for command in ["whoami", "backup Pictures", "list --json", "preferences set theme dark", "signout", "whoami"] {
            try await laptop("photolala \(command)")
        }
    }

    static func playJSON(_ conversation: Conversation) async throws {
        let (laptop, phone) = (try conversation.device("laptop"), try conversation.device("phone"))
        for number in 1...2 { try laptop.addPhoto("Pictures/IMG_\(number).jpg", day: number) }
        try await laptop("photolala whoami --json")
        try await laptop("\(signUp) --json")
        try await phone("photolala signin --provider google --dev-user bob --json")
        let commands = [
            "whoami", "devices", "history", "link --provider google --dev-user bob", "unlink apple",
            "unlink apple --undo",
            "reauthenticate --provider apple --dev-user bob", "preferences set theme dark", "preferences",
            "local scan Pictures", "migrate --dry-run", "backup Pictures --no-thumbnails", "status Pictures", "list",
            "list --count", "verify", "recall --dry-run", "restore --to Restored", "restore --to Restored",
            "trash put IMG_1.jpg --yes",
            "trash", "versions IMG_1.jpg", "undo --yes", "trash put IMG_1.jpg --yes", "trash restore IMG_1.jpg",
            "trash put IMG_1.jpg --yes", "trash purge --now --yes",
            "refresh-dates", "repair-catalog", "credentials", "signout",
        ]
        for command in commands { try await laptop("photolala \(command) --json") }
        try await phone("photolala signin --provider apple --dev-user bob --device-name Phone --json")
    }

    static func playOperator(_ conversation: Conversation) async throws {
        let (laptop, server) = (try conversation.device("laptop"), try conversation.device("server"))
        try laptop.addPhoto("Pictures/IMG_1.jpg", day: 1)
        try await laptop(signUp)
        try await laptop("photolala backup Pictures --no-thumbnails")
        let user = try await laptop.json("photolala whoami --json")["user"] as? [String: Any]
        let account = user?["serviceUserID"] ?? ""
        let commands = [
            "check-settings", "doctor", "doctor --json", "jobs", "jobs --json", "audit \(account)",
            "audit \(account) --json",
            "audit 00000000-0000-4000-8000-000000000000", "audit bob", "events", "events --json", "repair",
            "repair --json", "scrub", "subscription 123", "migrate", "transfer-apple",
            "snapshot accounts.snapshot", "snapshot accounts.snapshot", "recover accounts.snapshot",
            "backup \(server.home.path)/saved",
            "forget-signing-keys",
        ]
        for command in commands { try await server("photolala-server \(command)") }
        conversation.comment("The server is stopped. A new folder without accounts gets them from the snapshot.")
        conversation.stopServer()
        try await server("photolala-server forget-signing-keys --apply")
        for command in ["recover accounts.snapshot", "recover accounts.snapshot --apply", "repair"] {
            try await server("photolala-server \(command) --data \(server.home.path)/new")
        }
        try await server("photolala-server recover missing.snapshot --data \(server.home.path)/new")
        try await server("photolala-server check-settings --environment moon")
        try await server("photolala-server serve --listen nowhere")
    }
}
