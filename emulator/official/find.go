package official

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrNotFound says that this machine has no emulator or no Java. The message around it says how to
// get them.
var ErrNotFound = errors.New("no Firestore emulator found")

const howToGet = `get it in one of these ways, then try again:
  gcloud components install cloud-firestore-emulator             (Google Cloud CLI from its own installer)
  sudo apt-get install google-cloud-cli-firestore-emulator       (Google Cloud CLI as a Debian package)
  export FIRESTORE_EMULATOR_JAR=/path/to/cloud-firestore-emulator.jar
  export FIRESTORE_EMULATOR_HOST=127.0.0.1:8080                  (an emulator that is running already)`

const howToGetJava = `install a Java runtime, version 11 or newer (Debian: sudo apt-get install default-jre-headless), or set JAVA to the java command`

// jarInSDK is where the component is, below the Cloud CLI's root.
var jarInSDK = filepath.Join("platform", "cloud-firestore-emulator", "cloud-firestore-emulator.jar")

// debianSDK is the Cloud CLI's root when it comes as a Debian or RPM package. The emulator's
// package needs no gcloud on PATH.
const debianSDK = "/usr/lib/google-cloud-sdk"

// find returns the emulator's jar and the java command.
func find(o *Options) (jar, java string, err error) {
	if jar, err = findJar(o.Jar); err != nil {
		return "", "", err
	}
	if java, err = findJava(o.Java); err != nil {
		return "", "", err
	}
	return jar, java, nil
}

func findJar(option string) (string, error) {
	for _, given := range []struct{ from, jar string }{
		{"Options.Jar", option},
		{"FIRESTORE_EMULATOR_JAR", os.Getenv("FIRESTORE_EMULATOR_JAR")},
	} {
		if given.jar == "" {
			continue
		}
		if !isFile(given.jar) {
			return "", fmt.Errorf("%w: %s names %s, which is no file; correct it, or %s",
				ErrNotFound, given.from, given.jar, howToGet)
		}
		return given.jar, nil
	}
	var roots []string
	if gcloud, err := exec.LookPath("gcloud"); err == nil {
		// Packages and Homebrew put a link to it on PATH; the component is next to what it points
		// to.
		if real, err := filepath.EvalSymlinks(gcloud); err == nil {
			roots = append(roots, filepath.Dir(filepath.Dir(real)))
		}
	}
	if root := os.Getenv("CLOUDSDK_ROOT_DIR"); root != "" {
		roots = append(roots, root)
	}
	roots = append(roots, debianSDK)
	for _, root := range roots {
		if jar := filepath.Join(root, jarInSDK); isFile(jar) {
			return jar, nil
		}
	}
	return "", fmt.Errorf("%w below %v; %s", ErrNotFound, roots, howToGet)
}

func findJava(option string) (string, error) {
	for _, given := range []struct{ from, java string }{
		{"Options.Java", option},
		{"JAVA", os.Getenv("JAVA")},
	} {
		if given.java == "" {
			continue
		}
		java, err := exec.LookPath(given.java)
		if err != nil {
			return "", fmt.Errorf("%w: %s names %s, which is no command; correct it, or %s",
				ErrNotFound, given.from, given.java, howToGetJava)
		}
		return java, nil
	}
	if home := os.Getenv("JAVA_HOME"); home != "" {
		if java, err := exec.LookPath(filepath.Join(home, "bin", "java")); err == nil {
			return java, nil
		}
	}
	java, err := exec.LookPath("java")
	if err != nil {
		return "", fmt.Errorf("%w: it needs Java, and there is no java on PATH; %s", ErrNotFound,
			howToGetJava)
	}
	return java, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
