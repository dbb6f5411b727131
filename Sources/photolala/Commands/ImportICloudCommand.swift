import ArgumentParser
import Foundation
import PhotolalaClient

struct ImportICloudCommand: ServiceImportCommand {
    static let configuration = CommandConfiguration(
        commandName: "icloud", abstract: "Upload the photos of a copy of iCloud Photos.",
        discussion: """
            The copy comes from privacy.apple.com, "Request a copy of your data". Give all its ZIP archives together, or \
            a folder that contains them: albums and their photos are in different archives. Photos keep their iCloud dates \
            and favorites; hidden ones stay hidden. For a folder that the Photos app exported:  photolala backup FOLDER. \
            Photos already in the library are not uploaded again; nothing is replaced or removed. An interrupted import resumes \
            when you run it again.
            """
    )

    @OptionGroup var arguments: ServiceImportArguments<ICloudFacts>

    @OptionGroup var common: CommonOptions

    func start(
        _ parts: [URL], _ options: ServiceImportOptions, in library: PhotolalaLibrary
    ) -> Transfer<TransferProgress, ICloudImportReport> {
        library.importICloud(parts, options: options)
    }
}

extension ICloudFacts: ServiceFacts {
    static let service = PhotoService.iCloud
    static let descriptionFiles = "CSV files"

    var counts: [(text: String, number: Int)] {
        [
            ("Hidden in iCloud Photos (imported as hidden)", hidden),
            ("In shared albums (imported)", sharedAlbumPhotos),
            ("Memories (not imported)", memories), ("Empty files whose photo is in another one", emptyFiles),
        ]
    }

    var problems: [(title: String, paths: [String])] {
        [
            ("Nested archives, not imported. Unpack them and give their folders:", unopenedArchives),
            ("Not added to albums, because no photo or more than one has the name:", unresolvedAlbumPhotos),
        ]
    }
}
