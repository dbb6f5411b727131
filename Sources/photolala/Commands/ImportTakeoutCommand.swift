import ArgumentParser
import Foundation
import PhotolalaClient

struct ImportTakeoutCommand: ServiceImportCommand {
    static let configuration = CommandConfiguration(
        commandName: "takeout", abstract: "Upload the photos of a Google Takeout.",
        discussion: """
            Give all ZIP archives of the export together: a photo and its metadata can be in different ones. Unpack .tgz \
            archives first. Photos keep their Google Photos favorites, and its dates and places where the files have none; archived and locked ones are hidden \
            (photolala hidden). Photos already in the library are not uploaded again; nothing is replaced or removed. An \
            interrupted import resumes when you run it again.
            """
    )

    @OptionGroup var arguments: ServiceImportArguments<GooglePhotosFacts>

    @OptionGroup var common: CommonOptions

    func start(
        _ parts: [URL], _ options: ServiceImportOptions, in library: PhotolalaLibrary
    ) -> Transfer<TransferProgress, TakeoutImportReport> {
        library.importTakeout(parts, options: options)
    }
}

extension GooglePhotosFacts: ServiceFacts {
    static let service = PhotoService.googlePhotos

    var counts: [(text: String, number: Int)] {
        [
            ("Edited versions", editedVersions), ("Captions (in the stored JSON files)", captions),
            ("Archived in Google Photos (imported as hidden)", archived),
            ("In the locked folder (imported as hidden)", locked),
            ("Shared by a partner (imported)", fromPartner), ("Truncated names that were restored", restoredNames),
        ]
    }
}
