extension GoldenTopic {
    /// Adds three photos of July 2023 and a text file to the folder `Pictures`.
    private static func addPictures(_ device: Conversation.Device) throws {
        try device.addText("Pictures/notes.txt")
        for number in 1...3 { try device.addPhoto("Pictures/2023/IMG_\(number).jpg", day: number, size: 1000 * number) }
    }

    static func playBackup(_ conversation: Conversation) async throws {
        let laptop = try conversation.device("laptop")
        try addPictures(laptop)
        try await laptop("photolala backup Pictures")
        try await laptop(signUp)
        try await laptop("photolala status Pictures")
        try await laptop("photolala backup Pictures")
        try await laptop("photolala backup Pictures --no-thumbnails")
        conversation.comment("One photo is added, one is deleted in the folder.")
        try laptop.addPhoto("Pictures/2023/IMG_4.jpg", day: 4)
        try laptop.remove("Pictures/2023/IMG_1.jpg")
        try await laptop("photolala status Pictures")
        try await laptop("photolala backup Pictures Nowhere --no-thumbnails")
        try await laptop("photolala status")
        try await laptop("photolala list")
        try await laptop("photolala list --since 2023-07-02 --sort size --reverse --limit 2")
        try await laptop("photolala list --count")
        try await laptop("photolala list --type video")
        try await laptop("photolala verify")
        try await laptop("photolala verify --all")
        try await laptop("photolala verify --type video")
        try laptop.addFolder("Empty")
        try await laptop("photolala backup Empty --no-thumbnails")
        try await laptop("photolala backup Pictures --verify --no-thumbnails")
    }

    static func playRestore(_ conversation: Conversation) async throws {
        let (laptop, phone) = (try conversation.device("laptop"), try conversation.device("phone"))
        try addPictures(laptop)
        try await laptop(signUp)
        try await laptop("photolala backup Pictures --no-thumbnails")
        try await phone(signInPhone)
        try await phone("photolala restore --to Restored --dry-run")
        try await phone("photolala restore --to Restored 2023/IMG_2.jpg")
        try await phone("photolala restore --to Restored")
        try await phone("photolala restore --to Restored")
        conversation.comment("A different file already has the name of a photo.")
        try phone.addPhoto("Restored/2023/IMG_3.jpg", day: 9)
        try await phone("photolala restore --to Restored")
    }

    static func playExport(_ conversation: Conversation) async throws {
        let (laptop, tablet) = (try conversation.device("laptop"), try conversation.device("tablet"))
        try addPictures(laptop)
        try await laptop(signUp)
        try await laptop("photolala backup Pictures --no-thumbnails")
        try await laptop("photolala trash put 2023/IMG_3.jpg --yes")
        try await laptop("photolala export --to bob.zip")
        try await laptop("photolala export --to bob.zip")
        try await laptop("photolala import bob.zip")
        try await laptop("photolala import Pictures/notes.txt")
        try await laptop("photolala history")
        conversation.comment("Carol has another account.")
        try tablet.copy("bob.zip", from: laptop)
        try await tablet("photolala signup --provider apple --dev-user carol --device-name Tablet")
        try await tablet("photolala import bob.zip")
        try await tablet("photolala import bob.zip")
        try await tablet("photolala list")
        try await tablet("photolala trash list")
    }

    static func playSync(_ conversation: Conversation) async throws {
        let (laptop, phone) = (try conversation.device("laptop"), try conversation.device("phone"))
        try addPictures(laptop)
        try await laptop(signUp)
        try await phone(signInPhone)
        try await laptop.waitUntilAtRest("Pictures")
        try await laptop("photolala sync Pictures --dry-run --no-thumbnails")
        try await laptop("photolala sync Pictures --no-thumbnails")
        try await laptop("photolala sync Pictures --no-thumbnails")
        try await phone("photolala sync Pictures --no-thumbnails")
        try phone.addFolder("Pictures")
        try await phone("photolala sync Pictures --no-thumbnails")
        conversation.comment("A photo is deleted on the laptop.")
        try laptop.remove("Pictures/2023/IMG_2.jpg")
        try await laptop("photolala sync Pictures --no-thumbnails")
        try await phone.waitUntilAtRest("Pictures")
        try await phone("photolala sync Pictures --no-thumbnails")
        try await phone("photolala list")
        conversation.comment("All photos are deleted on the laptop.")
        try laptop.remove("Pictures/2023")
        try await laptop("photolala sync Pictures --no-thumbnails")
    }

    static func playTrash(_ conversation: Conversation) async throws {
        let laptop = try conversation.device("laptop")
        try addPictures(laptop)
        try await laptop(signUp)
        try await laptop("photolala backup Pictures --no-thumbnails")
        try await laptop("photolala trash")
        try await laptop("photolala trash put 2023/IMG_1.jpg")
        try await laptop("photolala trash put 2023/IMG_1.jpg --yes")
        try await laptop("photolala trash put 2023 --yes")
        try await laptop("photolala trash list")
        try await laptop("photolala list")
        try await laptop("photolala trash restore 2023/IMG_2.jpg")
        try await laptop("photolala trash restore 2023/IMG_2.jpg")
        try await laptop("photolala trash restore 2023/IMG_3.jpg --id 0000")
        try await laptop("photolala trash purge")
        try await laptop("photolala trash purge --yes")
        try await laptop("photolala trash purge --include-recent --yes")
        try await laptop("photolala trash")
        try await laptop("photolala list")
        conversation.comment("The purged files are still in the folder; a backup skips them.")
        try await laptop("photolala backup Pictures --no-thumbnails")
        try await laptop("photolala status Pictures")
    }

    /// The MD5s of both versions begin with 54ea.
    static func playVersions(_ conversation: Conversation) async throws {
        let tablet = try conversation.device("tablet")
        conversation.comment("Two versions of one path are in the trash: the photo was edited, then trashed.")
        try await tablet("photolala signup --provider apple --dev-user carol --device-name Tablet")
        try tablet.addPhoto("Photos/IMG_1.jpg", day: 8, size: 1001)
        try await tablet("photolala backup Photos --no-thumbnails")
        try tablet.addPhoto("Photos/IMG_1.jpg", day: 24, size: 1005)
        try await tablet("photolala backup Photos --no-thumbnails")
        try await tablet("photolala trash put IMG_1.jpg --yes")
        try await tablet("photolala trash list")
        try await tablet("photolala trash restore IMG_1.jpg --id 54ea")
        try await tablet("photolala trash restore IMG_1.jpg --id 54ea11a8")
        try await tablet("photolala list")
    }

    static func playLocal(_ conversation: Conversation) async throws {
        let laptop = try conversation.device("laptop")
        try addPictures(laptop)
        try laptop.addPhoto("Pictures/Copies/IMG_1.jpg", day: 1, size: 1000)
        try await laptop("photolala local scan Pictures")
        try await laptop("photolala local list")
        try await laptop("photolala migrate")
        try await laptop(signUp)
        try await laptop("photolala migrate --dry-run")
        try await laptop("photolala migrate")
        try await laptop("photolala migrate --yes")
        try await laptop("photolala local forget Pictures")
        try await laptop("photolala local list")
        try await laptop("photolala local forget Nowhere")
    }

    static func playTools(_ conversation: Conversation) async throws {
        let laptop = try conversation.device("laptop")
        try addPictures(laptop)
        try await laptop(signUp)
        try await laptop("photolala backup Pictures --no-thumbnails")
        try await laptop("photolala refresh-dates --dry-run")
        try await laptop("photolala refresh-dates --zone Asia/Tokyo")
        try await laptop("photolala repair-catalog")
        try await laptop("photolala credentials")
        try await laptop("photolala credentials --format env")
        try await laptop("photolala credentials --format process")
    }

    static func playQuota(_ conversation: Conversation) async throws {
        let laptop = try conversation.device("laptop")
        try laptop.addPhoto("Pictures/IMG_1.jpg", day: 1, size: 20_000)
        try await laptop(signUp)
        try await laptop("photolala backup Pictures --no-thumbnails")
        try laptop.addPhoto("Pictures/IMG_2.jpg", day: 2, size: 20_000)
        try await laptop("photolala backup Pictures --no-thumbnails")
        try await laptop("photolala backup Pictures --no-thumbnails --json")
        try await laptop("photolala migrate Pictures --dry-run")
        try await laptop("photolala whoami")
        try await laptop("photolala list")
    }
}
